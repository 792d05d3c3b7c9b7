import { gitJobs } from '@recto/contracts'
import { markPublished, type Transaction } from '@recto/database'
import * as spaces from '../../hierarchy/spaces/spaces.repository.ts'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { settleSync, type Synchronised } from './follow-sync.ts'
import { decideTurn } from './git-operations.rules.ts'

type OperationResult = Pick<GitOperationRow, 'state'> & Partial<GitOperationRow> & { synchronised?: Synchronised }

/** Dispatches the next operation of a space's queue when none is running: operations on a space run one after another. */
export async function dispatchNext(tx: Transaction, spaceId: string): Promise<void> {
  await spaces.lock(tx, spaceId)
  if (await operations.isQueueBusy(tx, spaceId)) return
  const last = await operations.latestTimestamp(tx, spaceId)
  for (let next = await operations.nextInQueue(tx, spaceId); next; next = await operations.nextInQueue(tx, spaceId)) {
    if (decideTurn(next, last) === 'run') return dispatch(tx, next)
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
  { synchronised, ...result }: OperationResult,
): Promise<void> {
  await operations.update(tx, operation.id, {
    completedAt: new Date(),
    ...(result.state !== 'failure' && { credentials: null }),
    ...result,
  })
  await markPublished(tx, operation.id)
  await settleSync(tx, operation, { ...result, ...(synchronised && { synchronised }) })
  await dispatchNext(tx, operation.spaceId)
}

async function dispatch(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await operations.update(tx, operation.id, { dispatched: true })
  const job = operation.direction === 'import' ? gitJobs.importRepository : gitJobs.exportToRepository
  await tx.enqueue(job, operation.id, { operationId: operation.id })
}
