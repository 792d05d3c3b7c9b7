import type { Db } from '@recto/database'
import { Failure } from '@recto/operation'
import { addCounters, type Counter } from './counters.rules.ts'

/** Counters that wait at most; each is a few hundred bytes. */
const maxWaiting = 20_000

/** Adds counts to what is stored. */
export interface Counting {
  /** Resolves when the counts are stored; throws `unavailable` while too many wait. */
  add(db: Db, counters: readonly Counter[]): Promise<void>
}

interface Batch {
  counters: Map<string, Counter>
  stored: Promise<void>
}

/**
 * Stores the counts of all requests that arrive during one write by the next, so that a popular page costs one row of one write,
 * however many visitors open it at once. Nothing waits for a timer, and what was acknowledged is stored.
 */
export function createCounting(write: (db: Db, counters: Counter[]) => Promise<void>): Counting {
  const state: { waiting: Batch | undefined; last: Promise<void> } = { waiting: undefined, last: Promise.resolve() }
  const startBatch = (db: Db): Batch => {
    const counters = new Map<string, Counter>()
    const stored = state.last.then(() => {
      state.waiting = undefined
      return write(db, [...counters.values()])
    })
    state.last = stored.catch(() => undefined)
    return { counters, stored }
  }
  return {
    async add(db, counters) {
      if (counters.length === 0) return
      const batch = (state.waiting ??= startBatch(db))
      if (batch.counters.size + counters.length > maxWaiting)
        throw new Failure('unavailable', 'Too many events are waiting to be counted', { retryAfter: 1 })
      addCounters(batch.counters, counters)
      await batch.stored
    },
  }
}
