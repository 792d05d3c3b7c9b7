import type { Db, Transaction } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { dispatchNext } from '../queue/queue.ts'
import type { ContentCalls } from '../shared/context.ts'
import { findGitSpace, type GitSpace } from '../spaces/git-spaces.ts'
import { enqueueNext, lockSync, requestPoll, startPoll } from '../syncs/follow-sync.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'

const second = 1_000
/** Spaces of one run. */
const maxSpacesPerRun = 200

interface Tools {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  /** Limit on the running operations of an organization. */
  gitOrganizationJobs: number
}

/** Starts due polls and retries within two seconds. Any number of replicas may run it. */
export function pollSchedule(tools: Tools): PeriodicWork {
  const { db } = tools
  return {
    name: 'poll branches',
    every: 2 * second,
    rows: { tables: ['git_syncs'], untilDue: () => syncs.untilDue(db) },
    run: async signal =>
      eachOf(await syncs.findDue(db, maxSpacesPerRun), signal, spaceId => withSpace(tools, spaceId, pollWhenDue)),
  }
}

/** Decides on the next operation after a change of main content or the restoring of a space. Any number of replicas may run it. */
export function mainFollower(tools: Tools): PeriodicWork {
  const { db } = tools
  return {
    name: 'follow main content',
    every: second / 4,
    rows: { tables: ['git_syncs'], untilDue: () => syncs.untilAwaitingDecision(db) },
    run: async signal =>
      eachOf(await syncs.findAwaitingDecision(db, maxSpacesPerRun), signal, async spaceId => {
        const decisionId = (await syncs.find(db, spaceId))?.askId
        if (decisionId) await withSpace(tools, spaceId, (tx, locked) => decideNext(tx, { ...locked, decisionId }))
      }),
  }
}

/** Requests a decision for all exporting synchronisations, hourly, since the event of a change may be lost. */
export function exportCatchUp({ db }: Pick<Tools, 'db'>): PeriodicWork {
  return { name: 'catch up with exports', every: 3_600 * second, run: () => syncs.requestAllDecisions(db) }
}

/** A locked synchronisation, with its space as read before the lock, and the limit on running operations. */
interface LockedSync {
  space: GitSpace
  sync: GitSyncRow
  limit: number
}

/** Reads a space from content, and then works on its synchronisation under the lock of the space, unless the space is purged. */
async function withSpace(
  { transaction, content, gitOrganizationJobs: limit }: Tools,
  spaceId: string,
  work: (tx: Transaction, locked: LockedSync) => Promise<void>,
): Promise<void> {
  const space = await findGitSpace(content, spaceId)
  await transaction(async tx => {
    const sync = await lockSync(tx, spaceId)
    if (!sync) return
    // The event of the purge deletes the synchronisation.
    if (!space) return syncs.update(tx, sync, { dueAt: null, askId: null })
    await work(tx, { space, sync, limit })
  })
}

/** Decides on the next operation. The space was read after the decision was requested, so it has the change that requested it. */
async function decideNext(
  tx: Transaction,
  { space, sync, limit, decisionId }: LockedSync & { decisionId: string },
): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  // The decision stays requested until the open operation ends.
  if (next === 'open') return
  if (sync.askId === decisionId) await syncs.update(tx, sync, { askId: null })
  if (next === 'queued') await dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
  else if (sync.recheck && !space.isDeleted && sync.direction !== 'export') await requestPoll(tx, sync)
}

/** Starts the first work of a locked synchronisation that was set up: an import or export, or a poll. */
export async function resumeSync(
  tx: Transaction,
  { space, sync }: Pick<LockedSync, 'space' | 'sync'>,
  limit: number,
): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  if (next === 'queued') await dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
  else if (sync.direction !== 'export') await requestPoll(tx, sync)
}

/** Starts due work. The lock of the space orders replicas: the second one finds that nothing is due. */
async function pollWhenDue(tx: Transaction, { space, sync, limit }: LockedSync): Promise<void> {
  // The event of a restored space resumes the synchronisation.
  if (space.isDeleted) return syncs.update(tx, sync, { dueAt: null })
  if (!sync.dueAt || sync.dueAt.getTime() > Date.now()) return
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  if (next === 'queued') return dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
  if (next === 'open') return
  if (sync.direction === 'export') return syncs.update(tx, sync, { dueAt: null, failures: 0, error: null })
  await startPoll(tx, sync)
}

/** Works on all spaces in turn. A failure does not stop the others, and is thrown at the end. */
async function eachOf(spaces: string[], signal: AbortSignal, work: (space: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const space of spaces) {
    if (signal.aborted) return
    await work(space).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some synchronisations could not go on')
}
