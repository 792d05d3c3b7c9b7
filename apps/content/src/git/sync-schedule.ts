import type { Db, Transaction } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as spaces from '../resources/spaces.repository.ts'
import { enqueueNext, lockSync, requestPoll, startPoll } from './follow-sync.ts'
import * as syncs from './git-syncs.repository.ts'
import { dispatchNext } from './queue.ts'

const second = 1_000
/** Spaces that one run takes. */
const batch = 200

interface Tools {
  db: Db
  transaction: RunTransaction
  /** Operations of an organization that may be at work. */
  gitOrganizationJobs: number
}

/** Looks at branches whose time has come, and repeats what failed, within two seconds. Any number of replicas may run it. */
export function pollSchedule({ db, transaction, gitOrganizationJobs: limit }: Tools): PeriodicWork {
  return {
    name: 'poll branches',
    every: 2 * second,
    rows: { tables: ['git_syncs'], untilDue: () => syncs.untilDue(db) },
    run: async signal =>
      eachOf(await syncs.findDue(db, batch), signal, space => transaction(tx => pollWhenDue(tx, space, limit))),
  }
}

/** Exports main content whose change was published and never handled, hourly. */
export function exportCatchUp({ db, transaction, gitOrganizationJobs: limit }: Tools): PeriodicWork {
  return {
    name: 'catch up with exports',
    every: 3_600 * second,
    async run(signal) {
      for (let after = '', ids; !signal.aborted; after = ids.at(-1) ?? '') {
        ids = await syncs.listExporting(db, { after, limit: batch })
        await eachOf(ids, signal, space => transaction(tx => followMain(tx, space, limit)))
        if (ids.length < batch) return
      }
    },
  }
}

/** Exports main content that has changed, where the space is synchronised so; `limit` operations of an organization may be at work. An import of the branch itself changes nothing to export. */
export async function followMain(tx: Transaction, spaceId: string, limit: number): Promise<void> {
  const sync = await syncs.find(tx, spaceId)
  if (!sync || sync.direction === 'import') return
  // Most events tell of what is exported already, or is the export itself: they wait for no lock.
  if ((await spaces.find(tx, spaceId))?.revision === sync.syncedRevision) return
  const locked = await lockSync(tx, spaceId)
  if (locked && (await enqueueNext(tx, locked, 'unknown')) === 'queued')
    await dispatchNext(tx, spaceId, { limit, isOldest: false })
}

/** Does what is to be done at once where a synchronisation was set up or its space restored: an import or export, or a look at the branch. */
export async function resumeSync(tx: Transaction, spaceId: string, limit: number): Promise<void> {
  const locked = await lockSync(tx, spaceId)
  if (!locked) return
  const next = await enqueueNext(tx, locked, 'unknown')
  if (next === 'queued') await dispatchNext(tx, spaceId, { limit, isOldest: false })
  else if (locked.sync.direction !== 'export') await requestPoll(tx, locked.sync)
}

/** The lock of the space orders replicas: the second one finds that the time has not come. */
async function pollWhenDue(tx: Transaction, spaceId: string, limit: number): Promise<void> {
  const locked = await lockSync(tx, spaceId)
  if (!locked) return
  const { sync, space } = locked
  // It goes on when the space is restored.
  if (space.deletedAt) return syncs.update(tx, sync, { dueAt: null })
  if (!sync.dueAt || sync.dueAt.getTime() > Date.now()) return
  const next = await enqueueNext(tx, locked, 'unknown')
  if (next === 'queued') return dispatchNext(tx, spaceId, { limit, isOldest: false })
  if (next === 'open') return
  if (sync.direction === 'export') return syncs.update(tx, sync, { dueAt: null, failures: 0, error: null })
  await startPoll(tx, sync)
}

/** One that fails does not keep the others back, and is thrown at the end. */
async function eachOf(spaces: string[], signal: AbortSignal, work: (space: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const space of spaces) {
    if (signal.aborted) return
    await work(space).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some synchronisations could not go on')
}
