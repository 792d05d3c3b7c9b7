import { fontsHolding } from '../fonts/fonts.repository.ts'
import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { deleteOf, hasActiveWork, spacesWithActiveWork } from '../repositories/repository-work.repository.ts'
import { deletePdfs, pdfsHolding } from '../pdf/pdfs.repository.ts'
import { revisionsHolding } from '../revisions/revisions.repository.ts'
import { uploadsHolding } from '../uploads/uploads.repository.ts'
import { hasRunningImports, spacesWithRunningImports } from '../imports/imports.repository.ts'
import { hasRunningTranslations, spacesWithRunningTranslations } from '../translations/translation-runs.repository.ts'
import { purgeDeleted, type PurgeOptions } from '../spaces/purge.ts'
import { sweepGarbage, type SweepOptions } from '../garbage/sweep.ts'

const minute = 60_000

/** The intervals in milliseconds, and the clock, which tests replace. */
export interface PurgeTimes {
  every?: number
  /** The interval after a sweep that active writers have stopped. */
  retryAfterBusy?: number
  now?: () => Date
}

/** Dependencies of the purge. */
export interface PurgeTools {
  db: Db
  transaction: RunTransaction
  blobs: BlobStore
  log: { info(details: object, message: string): void }
}

const listSpacesInUse = async (db: Db): Promise<string[]> => [
  ...(await spacesWithActiveWork(db)),
  ...(await spacesWithRunningImports(db)),
  ...(await spacesWithRunningTranslations(db)),
]
const hasActiveWriters = async (db: Db): Promise<boolean> =>
  (await hasActiveWork(db)) || (await hasRunningImports(db)) || (await hasRunningTranslations(db))

/** Purges deleted spaces and collections, except spaces that git operations, imports or translations work on. */
export function purge(options: Omit<PurgeOptions, 'work'>): Promise<number> {
  return purgeDeleted({
    ...options,
    work: { spacesInUse: listSpacesInUse, deleteRepositoryWork: deleteOf, deletePdfs },
  })
}

/** Frees unreferenced content, unless git operations, imports or translations are running. */
export function sweep(options: Omit<SweepOptions, 'hasActiveWriters' | 'holders'>): ReturnType<typeof sweepGarbage> {
  return sweepGarbage({
    ...options,
    hasActiveWriters,
    holders: [revisionsHolding, uploadsHolding, fontsHolding, pdfsHolding],
  })
}

/**
 * Creates the job that purges what was deleted long ago and frees content that nothing references. It runs every hour, and again after
 * `retryAfterBusy` when active writers stopped the sweep; spaces in use are skipped. Any number of replicas may run it.
 */
export function purgeJob(
  tools: PurgeTools,
  { every = 60 * minute, retryAfterBusy: whenBusy = minute, now = () => new Date() }: PurgeTimes = {},
): PeriodicWork {
  return {
    name: 'purge',
    every,
    run: async signal => {
      const busy = await purgeOnce(tools, { now, signal })
      return busy ? whenBusy : undefined
    },
  }
}

async function purgeOnce(
  { db, transaction, blobs, log }: PurgeTools,
  { now, signal }: { now: () => Date; signal: AbortSignal },
): Promise<boolean> {
  const spaces = await purge({ transaction, now: now(), signal })
  const { freed, busy } = await sweep({ db, blobs, now: now(), signal })
  if (spaces > 0 || Object.values(freed).some(count => count > 0)) log.info({ spaces, freed }, 'purged')
  return busy
}
