import { AsyncLocalStorage } from 'node:async_hooks'
import type { BaseContext } from '../shared/context.ts'

/** The program that a person is asked about, as their list of grants names it. */
export interface Program {
  name: string
  host: string | null
}

/** The request that the authorization server works for: its adapters get no parameters of ours. */
export interface OAuthWork {
  context: BaseContext
  userAgent: string | undefined
  /** The ids of sessions that this request has found, or begun. */
  storedSessions: Set<string>
  /** Whether the program gives its tokens back, instead of somebody using one twice. */
  isRevocation?: boolean
  /** The program of the grant that this request makes. */
  program?: Program
  /** The code that the address of the page for devices has, to be shown in its field. */
  userCode?: string | undefined
}

const storage = new AsyncLocalStorage<OAuthWork>()

/** Runs the authorization server for a request. */
export function runWork<T>(work: OAuthWork, run: () => T): T {
  return storage.run(work, run)
}

/** The request that the authorization server works for. */
export function currentWork(): OAuthWork {
  const work = storage.getStore()
  if (!work) throw new Error('The authorization server works for no request')
  return work
}
