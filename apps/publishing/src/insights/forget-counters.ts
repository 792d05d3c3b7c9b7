import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import * as sites from '../sites/sites.repository.ts'
import { dayOf } from './count-query.rules.ts'
import * as counters from './insights-counters.repository.ts'

const hour = 3_600_000
const dayLength = 24 * hour
/** Counters that one statement deletes. */
const slice = 5_000

/** Deletes counters, hourly: those of days that are kept no more, and those of sites that are deleted. */
export function counterRetentionJob(db: Db, days: number): PeriodicWork {
  return {
    name: 'forget counters of insights',
    every: hour,
    async run(signal) {
      const first = dayOf(Date.now() - days * dayLength)
      await inSlices(signal, () => counters.deleteBefore(db, first, slice))
      for await (const site of sitesWithoutSite(db))
        await inSlices(signal, () => counters.deleteOfSite(db, site, slice))
    },
  }
}

async function inSlices(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await deleteSome()) === slice);
}

/** The ids of sites that have counters and are there no more. */
async function* sitesWithoutSite(db: Db): AsyncGenerator<string> {
  for (
    let ids = await counters.sitesAfter(db, '');
    ids.length > 0;
    ids = await counters.sitesAfter(db, ids.at(-1) ?? '')
  ) {
    const existing = await sites.existing(db, ids)
    yield* ids.filter(id => !existing.has(id))
  }
}
