import type { Db, Transaction } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import { dispatchNext } from '../queue/queue.ts'
import type { ContentCalls } from '../shared/context.ts'
import { findGitSpace, type GitSpace } from '../spaces/git-spaces.ts'
import { enqueueNext, lockSync, requestPoll, startPoll } from '../syncs/follow-sync.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'

const second = 1_000
/** Spaces that one run takes. */
const batch = 200

interface Tools {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  /** Operations of an organization that may be at work. */
  gitOrganizationJobs: number
}

/** Looks at branches whose time has come, and repeats what failed, within two seconds. Any number of replicas may run it. */
export function pollSchedule(tools: Tools): PeriodicWork {
  const { db } = tools
  return {
    name: 'poll branches',
    every: 2 * second,
    rows: { tables: ['git_syncs'], untilDue: () => syncs.untilDue(db) },
    run: async signal =>
      eachOf(await syncs.findDue(db, batch), signal, spaceId => withSpace(tools, spaceId, pollWhenDue)),
  }
}

/** Decides what is next where main content has changed, or a space was restored. Any number of replicas may run it. */
export function mainFollower(tools: Tools): PeriodicWork {
  const { db } = tools
  return {
    name: 'follow main content',
    every: second / 4,
    rows: { tables: ['git_syncs'], untilDue: () => syncs.untilAwaitingDecision(db) },
    run: async signal =>
      eachOf(await syncs.findAwaitingDecision(db, batch), signal, async spaceId => {
        const asked = (await syncs.find(db, spaceId))?.askId
        if (asked) await withSpace(tools, spaceId, (tx, locked) => decideAsked(tx, { ...locked, asked }))
      }),
  }
}

/** Asks hourly for all that is exported, since the event of a change can have been published and never handled. */
export function exportCatchUp({ db }: Pick<Tools, 'db'>): PeriodicWork {
  return { name: 'catch up with exports', every: 3_600 * second, run: () => syncs.askAllExporting(db) }
}

/** A synchronisation, which is locked, its space as content knew it before the lock, and how many operations may be at work. */
interface Locked {
  space: GitSpace
  sync: GitSyncRow
  limit: number
}

/** Asks content for a space, and then works on its synchronisation under the lock of the space; not where the space is purged. */
async function withSpace(
  { transaction, content, gitOrganizationJobs: limit }: Tools,
  spaceId: string,
  work: (tx: Transaction, locked: Locked) => Promise<void>,
): Promise<void> {
  const space = await findGitSpace(content, spaceId)
  await transaction(async tx => {
    const sync = await lockSync(tx, spaceId)
    if (!sync) return
    // The event of its purge deletes it.
    if (!space) return syncs.update(tx, sync, { dueAt: null, askId: null })
    await work(tx, { space, sync, limit })
  })
}

/** An answer that is older than the question is none: content was asked behind the question that is answered here. */
async function decideAsked(tx: Transaction, { space, sync, limit, asked }: Locked & { asked: string }): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  // Its end asks again, and so does this behind it.
  if (next === 'open') return
  if (sync.askId === asked) await syncs.update(tx, sync, { askId: null })
  if (next === 'queued') await dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
  else if (sync.recheck && !space.isDeleted && sync.direction !== 'export') await requestPoll(tx, sync)
}

/** Does what is to be done at once where a synchronisation was set up, which is locked: an import or export, or a look at the branch. */
export async function resumeSync(
  tx: Transaction,
  { space, sync }: Pick<Locked, 'space' | 'sync'>,
  limit: number,
): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  if (next === 'queued') await dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
  else if (sync.direction !== 'export') await requestPoll(tx, sync)
}

/** The lock of the space orders replicas: the second one finds that the time has not come. */
async function pollWhenDue(tx: Transaction, { space, sync, limit }: Locked): Promise<void> {
  // It goes on when the space is restored.
  if (space.isDeleted) return syncs.update(tx, sync, { dueAt: null })
  if (!sync.dueAt || sync.dueAt.getTime() > Date.now()) return
  const next = await enqueueNext(tx, { space, sync }, 'unknown')
  if (next === 'queued') return dispatchNext(tx, sync.spaceId, { limit, isOldest: false })
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
