import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import { purgeDeleted } from '../hierarchy/trash/purge.ts'
import { sweepGarbage } from '../store/garbage/sweep.ts'

const minute = 60_000

/** How often, in milliseconds, and by which clock it is purged. */
export interface PurgeTimes {
  every?: number
  /** After a sweep that a writer was in the way of. */
  again?: number
  now?: () => Date
}

interface Tools {
  db: Db
  transaction: RunTransaction
  blobs: BlobStore
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/** Purges now and then what was deleted long ago, and frees what nobody uses. Any number of replicas may run it. */
export function startPurge(
  tools: Tools,
  { every = 60 * minute, again = minute, now = () => new Date() }: PurgeTimes = {},
): { stop(): Promise<void> } {
  const end = new AbortController()
  const state: { running: Promise<void>; timer?: NodeJS.Timeout } = { running: Promise.resolve() }
  const round = async (): Promise<void> => {
    const busy = await purgeOnce(tools, { now, signal: end.signal }).catch((error: unknown) =>
      tools.log.warn({ err: error }, 'the purge has failed and is tried again later'),
    )
    if (!end.signal.aborted) state.timer = setTimeout(begin, busy ? again : every)
  }
  const begin = (): void => void (state.running = round())
  begin()
  return {
    stop: async () => {
      end.abort()
      clearTimeout(state.timer)
      await state.running
    },
  }
}

async function purgeOnce(
  { log, ...tools }: Tools,
  { now, signal }: { now: () => Date; signal: AbortSignal },
): Promise<boolean> {
  const spaces = await purgeDeleted({ transaction: tools.transaction, now: now(), signal })
  const { freed, busy } = await sweepGarbage({ ...tools, now: now(), signal })
  if (spaces > 0 || Object.values(freed).some(count => count > 0)) log.info({ spaces, freed }, 'purged')
  return busy
}
