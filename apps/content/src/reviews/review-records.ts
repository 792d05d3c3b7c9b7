import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { type ChangeRequestChange, subjectOf } from '../change-requests/change-request-records.ts'
import type { ReviewRow } from './review.entity.ts'

/** Records that a change request was reviewed. */
export function recordReview(tx: Transaction, { id: review, status }: ReviewRow, change: ChangeRequestChange): void {
  tx.record(recorded('change-request.reviewed', { ...subjectOf(change), review, details: { status } }))
}

/** Records that users were asked to review a change request, or are not any more. */
export function recordReviewers(
  tx: Transaction,
  details: { added: string[] } | { removed: string[] },
  change: ChangeRequestChange,
): void {
  tx.record(recorded('change-request.reviewers.updated', { ...subjectOf(change), details }))
}
