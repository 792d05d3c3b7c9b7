import { gitJobs } from '@recto/contracts-git-worker-bus'
import { markPublished, type Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { insertOperation } from '../operations/operation-records.ts'
import type { GitSpace } from '../spaces/git-spaces.ts'
import { lockSpace } from '../spaces/space-lock.repository.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { affectsSync, nextOperation, nextPoll, nextRetry, type RemoteState } from './git-sync.rules.ts'
import * as syncs from './git-syncs.repository.ts'
import { syncOperation } from './sync-operation.ts'

/** Milliseconds after which a poll without a report is repeated. */
const pollLease = 600_000

/** The state after an operation: the synchronised main content, and whether the branch has more than it. */
export interface Synchronised {
  main: string
  isPartial?: boolean
}

/** Locks a space and its synchronisation; undefined when it has none. */
export async function lockSync(tx: Transaction, spaceId: string): Promise<GitSyncRow | undefined> {
  await lockSpace(tx, spaceId)
  return syncs.lock(tx, spaceId)
}

/**
 * Puts the next operation of a synchronisation into the queue of the space, where the caller dispatches it. At most one is open: until it
 * ends nothing is added, and its end requests a decision again. The state of the space may be older than the lock: a later change requests
 * a decision, too.
 */
export async function enqueueNext(
  tx: Transaction,
  { space, sync }: { space: GitSpace; sync: GitSyncRow },
  remote: RemoteState,
): Promise<'queued' | 'open' | 'nothing'> {
  if (space.isDeleted) return 'nothing'
  if (await operations.isOpenOf(tx, sync.id)) return 'open'
  const isMainMoved = sync.syncedRevision !== space.revision
  const direction = nextOperation({ ...sync, isMainMoved, remote })
  if (!direction) return 'nothing'
  await insertOperation(tx, syncOperation(sync, { organizationId: space.organizationId, direction }))
  await syncs.update(tx, sync, { dueAt: null })
  return 'queued'
}

/** Requests a poll of the branch: now, or as soon as the running poll or operation has ended. */
export async function requestPoll(tx: Transaction, sync: GitSyncRow): Promise<void> {
  if (sync.pollId !== null || (await operations.isOpenOf(tx, sync.id))) return syncs.update(tx, sync, { recheck: true })
  await startPoll(tx, sync)
}

/** Starts a poll of the branch, even if an earlier poll has not reported. */
export async function startPoll(tx: Transaction, sync: GitSyncRow): Promise<void> {
  const dueAt = new Date(Date.now() + pollLease)
  await syncs.update(tx, sync, { pollId: createId(), recheck: false, dueAt })
  await tx.enqueue(gitJobs.pollBranch, sync.id, { syncId: sync.id })
}

/** The result of an operation, with the state of its space at that time. */
export type FinishedOperation = Pick<GitOperationRow, 'state'> &
  Partial<GitOperationRow> & {
    synchronised?: Synchronised
    space?: GitSpace
    /** Whether an operator of the installation ended it. */
    byOperator?: true
  }

/** Records the result of an operation and enqueues the next one, which the caller dispatches. */
export async function onOperationFinished(
  tx: Transaction,
  operation: GitOperationRow,
  { state, error, commit, synchronised, space }: FinishedOperation,
): Promise<void> {
  const sync = await lockSync(tx, operation.spaceId)
  if (!sync || !affectsSync(sync, operation)) return
  if (state === 'failure') return operation.syncId === null ? undefined : onAttemptFailed(tx, sync, error ?? null)
  const changes: Partial<GitSyncRow> = { dueAt: nextPoll(sync, new Date()) }
  if (synchronised) {
    Object.assign(changes, { initial: null, failures: 0, error: null, syncedRevision: synchronised.main })
    // The tip of a partial export has changes that the content lacks, so it counts as synchronised only after an import.
    if (!synchronised.isPartial && commit) changes.syncedCommit = commit
  }
  if (!space) changes.askId = createId()
  await syncs.update(tx, sync, changes)
  const now = { ...sync, ...changes }
  if (space) await enqueueOrPoll(tx, { space, sync: now }, synchronised?.isPartial ? 'ahead' : 'unknown')
}

/** Records a failed operation or poll; it is repeated after a pause, or with the next event. */
export async function onAttemptFailed(tx: Transaction, sync: GitSyncRow, error: GitSyncRow['error']): Promise<void> {
  const failures = sync.failures + 1
  await syncs.update(tx, sync, { failures, error, dueAt: nextRetry(failures, new Date()) })
  if (sync.recheck) await startPoll(tx, sync)
}

/** Records the tip of the branch and enqueues the next operation, which the caller dispatches. */
export async function onPollFinished(
  tx: Transaction,
  { space, sync }: { space: GitSpace; sync: GitSyncRow },
  commit: string,
): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, commit === sync.syncedCommit ? 'synced' : 'ahead')
  if (next === 'open') return syncs.update(tx, sync, { recheck: true })
  if (next === 'queued') return
  await syncs.update(tx, sync, { failures: 0, error: null, dueAt: nextPoll(sync, new Date()) })
  if (sync.recheck && !space.isDeleted) await startPoll(tx, sync)
}

/** Ends the poll of a worker. */
export async function endPoll(tx: Transaction, sync: GitSyncRow): Promise<void> {
  await syncs.update(tx, sync, { pollId: null })
  await markPublished(tx, sync.id)
}

async function enqueueOrPoll(
  tx: Transaction,
  { space, sync }: { space: GitSpace; sync: GitSyncRow },
  remote: RemoteState,
): Promise<void> {
  const next = await enqueueNext(tx, { space, sync }, remote)
  if (next === 'nothing' && sync.recheck && !space.isDeleted && sync.direction !== 'export') await startPoll(tx, sync)
}
