import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { actorOf } from '@recto/operation'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'

type RecordedOperation = Pick<
  GitOperationRow,
  'id' | 'organizationId' | 'spaceId' | 'direction' | 'syncId' | 'createdBy'
>

function placeOf({ id, organizationId, spaceId }: RecordedOperation) {
  return { organization: organizationId, space: spaceId, gitOperation: id }
}

function detailsOf({ direction, syncId }: RecordedOperation) {
  return { kind: direction, isAutomatic: syncId !== null }
}

/** Puts an operation into the queue of its space, and records it. */
export async function insertOperation(tx: Transaction, operation: GitOperationRow): Promise<void> {
  await operations.insert(tx, operation)
  recordStart(tx, operation)
}

/** Records that an operation was requested, by the caller of the request if there is one. */
export function recordStart(tx: Transaction, operation: RecordedOperation, more: { isRetry?: true } = {}): void {
  tx.record(recorded('git.sync.started', { ...placeOf(operation), details: { ...detailsOf(operation), ...more } }))
}

/** How an operation ended. */
type End = Pick<GitOperationRow, 'state'> & Partial<Pick<GitOperationRow, 'revision' | 'isPartial' | 'error'>>

/** Records the end of an operation in the name of who asked for it, unless an operator of the installation ended it. */
export function recordEnd(
  tx: Transaction,
  operation: RecordedOperation,
  { state, revision, isPartial, error, byOperator = false }: End & { byOperator?: boolean | undefined },
): void {
  const actor = byOperator ? undefined : actorOf({ userId: operation.createdBy })
  const place = { ...placeOf(operation), actor }
  const details = { ...detailsOf(operation), status: state }
  if (state === 'failure')
    return tx.record(recorded('git.sync.failed', { ...place, details: { ...details, code: error?.code ?? null } }))
  const result = { ...(revision && { revision }), ...(isPartial && { isPartial }) }
  tx.record(recorded('git.sync.finished', { ...place, details: { ...details, ...result } }))
}
