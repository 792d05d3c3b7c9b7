import { gitJobs } from '@recto/contracts-git-worker-bus'
import { markPublished, postpone, type Transaction } from '@recto/database'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { decideTurn, mayDispatch } from '../operations/git-operations.rules.ts'
import { lockSpace } from '../spaces/space-lock.repository.ts'
import { type FinishedOperation, onOperationFinished } from '../syncs/follow-sync.ts'

/** How many operations of an organization may be at work, and whether the sweep says that it is this space's turn. */
export interface ConcurrencySlot {
  limit: number
  isOldest: boolean
}

/**
 * Dispatches the next operation of a space's queue when none is running, since operations on a space run one after another, and when
 * it is its turn among those of the organization; else the sweep does later.
 */
export async function dispatchNext(tx: Transaction, spaceId: string, turn: ConcurrencySlot): Promise<void> {
  await lockSpace(tx, spaceId)
  if (await operations.isQueueBusy(tx, spaceId)) return
  const last = await operations.latestTimestamp(tx, spaceId)
  for (let next = await operations.nextInQueue(tx, spaceId); next; next = await operations.nextInQueue(tx, spaceId)) {
    if (decideTurn(next, last) === 'run') return dispatchInSlot(tx, next, turn)
    await operations.update(tx, next.id, { state: 'skipped', completedAt: new Date(), credentials: null })
  }
}

/**
 * Completes an operation, stops the redelivery of its job, goes on with the synchronisation of the space and dispatches the next operation. A
 * failed one keeps its credentials for a retry.
 */
export async function endOperation(
  tx: Transaction,
  operation: GitOperationRow,
  { synchronised, space, ...result }: FinishedOperation,
): Promise<void> {
  await operations.update(tx, operation.id, {
    completedAt: new Date(),
    ...(result.state !== 'failure' && { credentials: null }),
    ...result,
  })
  await markPublished(tx, operation.id)
  await onOperationFinished(tx, operation, {
    ...{ ...result, ...(synchronised && { synchronised }), ...(space && { space }) },
  })
  // It takes the place of the one that ended, so that no limit is exceeded.
  await dispatchNext(tx, operation.spaceId, { limit: Infinity, isOldest: false })
}

/** Seconds until a job that a worker returned is offered to the workers again. */
const returnedForSeconds = 2

/** Offers a job that a worker returned to the workers again, after a pause. */
export async function requeue(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await dispatch(tx, operation)
  await postpone(tx, operation.id, returnedForSeconds)
}

async function dispatchInSlot(tx: Transaction, operation: GitOperationRow, turn: ConcurrencySlot): Promise<void> {
  // The last lock of every transaction that takes it.
  await operations.lockTurns(tx, operation.organizationId)
  if (mayDispatch(await operations.loadOf(tx, operation), turn)) await dispatch(tx, operation)
}

/** Enqueues the job of an operation. */
export async function dispatch(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await operations.update(tx, operation.id, { dispatched: true })
  const job = operation.direction === 'import' ? gitJobs.importRepository : gitJobs.exportToRepository
  await tx.enqueue(job, operation.id, { operationId: operation.id, organizationId: operation.organizationId })
}
