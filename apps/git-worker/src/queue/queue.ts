import { gitJobs } from '@recto/contracts-git-worker-bus'
import { markPublished, postpone, type Transaction } from '@recto/database'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { decideTurn, mayDispatch } from '../operations/git-operations.rules.ts'
import { recordEnd } from '../operations/operation-records.ts'
import { finishPreviewImport } from '../previews/finish-import.ts'
import { lockSpace } from '../spaces/space-lock.repository.ts'
import { type FinishedOperation, onOperationFinished } from '../syncs/follow-sync.ts'

/** The limit on running operations of an organization, and whether the sweep found this space to be its oldest that waits. */
export interface ConcurrencySlot {
  limit: number
  isOldest: boolean
}

/**
 * Dispatches the next operation of a space's queue when none is running, since operations on a space run one after another, and when it is
 * its turn in the organization; otherwise the sweep dispatches it later.
 */
export async function dispatchNext(tx: Transaction, spaceId: string, turn: ConcurrencySlot): Promise<void> {
  await lockSpace(tx, spaceId)
  if (await operations.isQueueBusy(tx, spaceId)) return
  const last = await operations.latestTimestamp(tx, spaceId)
  for (let next = await operations.nextInQueue(tx, spaceId); next; next = await operations.nextInQueue(tx, spaceId)) {
    if (decideTurn(next, last) === 'run') return dispatchInSlot(tx, next, turn)
    await operations.update(tx, next.id, { state: 'skipped', completedAt: new Date(), credentials: null })
    recordEnd(tx, next, { state: 'skipped' })
  }
}

/**
 * Completes and records an operation, stops the redelivery of its job, continues the synchronisation of the space and dispatches the next operation. A
 * failed operation keeps its credentials for a retry.
 */
export async function endOperation(
  tx: Transaction,
  operation: GitOperationRow,
  { synchronised, space, byOperator, ...result }: FinishedOperation,
): Promise<void> {
  await operations.update(tx, operation.id, {
    completedAt: new Date(),
    ...(result.state !== 'failure' && { credentials: null }),
    ...result,
  })
  recordEnd(tx, operation, { ...result, byOperator })
  await markPublished(tx, operation.id)
  await onOperationFinished(tx, operation, {
    ...result,
    ...(synchronised && { synchronised }),
    ...(space && { space }),
  })
  if (operation.options.preview !== undefined)
    await finishPreviewImport(tx, operation, { ...result, ...(space && { space }) })
  // The next operation takes the slot of the one that ended, so no limit is exceeded.
  await dispatchNext(tx, operation.spaceId, { limit: Infinity, isOldest: false })
}

/** Seconds until a job that a worker returned is delivered again. */
const requeuePauseSeconds = 2

/** Enqueues a job that a worker returned again, after a pause. */
export async function requeue(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await dispatch(tx, operation)
  await postpone(tx, operation.id, requeuePauseSeconds)
}

async function dispatchInSlot(tx: Transaction, operation: GitOperationRow, turn: ConcurrencySlot): Promise<void> {
  // Every transaction takes this lock last, so that there is no deadlock.
  await operations.lockTurns(tx, operation.organizationId)
  if (mayDispatch(await operations.loadOf(tx, operation), turn)) await dispatch(tx, operation)
}

/** Enqueues the job of an operation. */
export async function dispatch(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await operations.update(tx, operation.id, { dispatched: true })
  const job = operation.direction === 'import' ? gitJobs.importRepository : gitJobs.exportToRepository
  await tx.enqueue(job, operation.id, { operationId: operation.id, organizationId: operation.organizationId })
}
