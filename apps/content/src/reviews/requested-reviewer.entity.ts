import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A user who was asked to review a change request and has not done so yet. */
export interface RequestedReviewerRow {
  changeRequestId: string
  userId: string
  /** The revision at the time of the request. */
  revision: string
  requestedBy: string
  createdAt: Date
}

export const RequestedReviewerEntity = new EntitySchema<RequestedReviewerRow>({
  name: 'RequestedReviewer',
  tableName: 'requested_reviewers',
  columns: {
    changeRequestId: { type: 'text', primary: true, name: 'change_request_id' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    revision: { type: 'text' },
    requestedBy: { type: 'text', name: 'requested_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<RequestedReviewerRow>,
})
