import type { Transaction } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { appendFollowing } from './append-change.ts'
import * as repository from './events.repository.ts'

/** Milliseconds for which a change waits for those before it, which their service publishes again every few seconds until they arrive. */
const patience = 3_600_000
const placesAtOnce = 100

/**
 * Appends changes that have waited too long for those before them: these were lost, as when the record alone was restored from a backup.
 * One that arrives after all is appended then.
 */
export function stuckChangeAppending(transaction: RunTransaction, log: Pick<Log, 'error'>): PeriodicWork {
  const goOn = async (place: repository.SourcePlace): Promise<void> => {
    const lost = await transaction(tx => passGap(tx, place))
    if (lost) log.error({ ...place, ...lost }, 'changes did not arrive, the record goes on without them')
  }
  return {
    name: 'append stuck changes',
    every: 60_000,
    run: async signal => {
      const before = new Date(Date.now() - patience)
      const places = await transaction(tx => repository.listStuck(tx, before, placesAtOnce))
      for (const place of places) if (!signal.aborted) await goOn(place)
    },
  }
}

async function passGap(
  tx: Transaction,
  place: repository.SourcePlace,
): Promise<{ first: number; last: number } | undefined> {
  const sequence = await repository.lockSequence(tx, place.organizationId)
  const { last } = await repository.readState(tx, place)
  const next = await repository.firstEarly(tx, place, last)
  if (next === undefined) return undefined
  await repository.setLastNumber(tx, place, next - 1)
  await appendFollowing(tx, place, { sequence, last: next - 1 })
  return { first: last + 1, last: next - 1 }
}
