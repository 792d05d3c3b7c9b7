import type { gitCalls } from '@recto/contracts'
import type { Client } from '@recto/operation'
import type { Stage } from '../commands/import-commit.ts'

/** What git-worker asks of content. */
export type GitRpc = Client<typeof gitCalls>

/** The right to work on an operation was taken by somebody else. */
export class LeaseLost extends Error {}

interface LeaseOptions {
  rpc: Pick<GitRpc, 'reportGitOperation'>
  operationId: string
  attempt: number
  everyMs: number
  signal: AbortSignal
}

/** Keeps the lease of an operation by telling how far it is; its signal fires when the lease is lost or the worker stops. */
export class Lease {
  readonly #options: LeaseOptions
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal
  #stage: Stage = 'repo_fetch'
  #progress = { done: 0, total: 0 }
  #reporting: Promise<void> | undefined

  constructor(options: LeaseOptions) {
    this.#options = options
    this.signal = AbortSignal.any([this.#lost.signal, options.signal])
    this.#timer = setInterval(() => void this.#report(), options.everyMs)
  }

  /** Notes progress; a new stage is told at once, the rest with the next heartbeat. Throws when the work has to stop. */
  readonly progress = (stage: Stage, progress: { done: number; total: number }): void => {
    this.signal.throwIfAborted()
    const isNew = stage !== this.#stage
    this.#stage = stage
    this.#progress = progress
    if (isNew) void this.#report()
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reporting
  }

  /** One report at a time. A report that fails is no reason to stop: the lease outlives a few of them. */
  #report(): Promise<void> {
    this.#reporting ??= this.#send().finally(() => (this.#reporting = undefined))
    return this.#reporting
  }

  async #send(): Promise<void> {
    const { rpc, operationId, attempt } = this.#options
    const body = { operationId, attempt, stage: this.#stage, progress: this.#progress }
    const reply = await rpc.reportGitOperation({ body }).catch(() => undefined)
    if (reply?.continue === false) this.#lost.abort(new LeaseLost('Another worker has taken the operation over'))
  }
}
