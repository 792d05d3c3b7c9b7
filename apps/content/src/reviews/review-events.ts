import { reviewEvents } from '@recto/contracts-content-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { eventMetadata } from '../events/event-metadata.ts'
import { type ChangeRequestChange, subjectOf } from '../change-requests/change-request-events.ts'
import type { ReviewRow } from './review.entity.ts'

const metadata = ({ actor, space, changeRequest }: ChangeRequestChange) => ({
  ...eventMetadata(actor, space),
  space: space.id,
  changeRequest: changeRequest.id,
  number: changeRequest.number,
})

/** Publishes that a change request was reviewed. */
export function publishSubmitted(
  tx: Transaction,
  { id: review, status }: ReviewRow,
  change: ChangeRequestChange,
): Promise<void> {
  tx.record(recorded('change-request.reviewed', { ...subjectOf(change), review, details: { status } }))
  return tx.publish(reviewEvents.reviewSubmitted, { ...metadata(change), review, status })
}

/** Publishes that users were asked to review a change request. */
export function publishRequested(tx: Transaction, users: string[], change: ChangeRequestChange): Promise<void> {
  const details = { added: users }
  tx.record(recorded('change-request.reviewers.updated', { ...subjectOf(change), details }))
  return tx.publish(reviewEvents.reviewersRequested, { ...metadata(change), users })
}

/** Publishes that users are not asked to review a change request any more. */
export function publishRemoved(tx: Transaction, users: string[], change: ChangeRequestChange): Promise<void> {
  const details = { removed: users }
  tx.record(recorded('change-request.reviewers.updated', { ...subjectOf(change), details }))
  return tx.publish(reviewEvents.reviewersRemoved, { ...metadata(change), users })
}
