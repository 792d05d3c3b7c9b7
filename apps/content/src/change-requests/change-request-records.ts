import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { ChangeRequestRow } from './change-request.entity.ts'

/** A change request that changes, with its space. */
export interface ChangeRequestChange {
  space: { id: string; organizationId: string }
  changeRequest: { id: string }
}

/** A change request as the record names it. */
export const subjectOf = ({ space, changeRequest }: ChangeRequestChange) => ({
  organization: space.organizationId,
  space: space.id,
  changeRequest: changeRequest.id,
})

/** Records that a change request was created. */
export function recordCreated(tx: Transaction, change: ChangeRequestChange): void {
  tx.record(recorded('change-request.created', subjectOf(change)))
}

/** Records which fields of a change request changed. */
export function recordUpdated(
  tx: Transaction,
  { fields, ...change }: ChangeRequestChange & { fields: string[] },
): void {
  tx.record(recorded('change-request.updated', { ...subjectOf(change), details: { fields } }))
}

/** Records that the status of a change request changed. */
export function recordStatusChanged(
  tx: Transaction,
  { from, to, ...change }: ChangeRequestChange & Record<'from' | 'to', ChangeRequestRow['status']>,
): void {
  tx.record(recorded('change-request.status.updated', { ...subjectOf(change), details: { from, to } }))
}

/** Records that the content of a change request is another revision. */
export function recordContentChanged(
  tx: Transaction,
  { from, to, ...change }: ChangeRequestChange & { from: string; to: string },
): void {
  const revision = { before: from, after: to }
  tx.record(recorded('change-request.content.updated', { ...subjectOf(change), revision }))
}

/** Records that a change request was merged, with the revisions of main content before and after. */
export function recordMerged(
  tx: Transaction,
  { from, to, ...change }: ChangeRequestChange & { from: string; to: string },
): void {
  tx.record(recorded('change-request.merged', { ...subjectOf(change), revision: { before: from, after: to } }))
}
