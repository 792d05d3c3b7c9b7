import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A review of the content of a change request at one of its revisions. */
export interface ReviewRow {
  id: string
  changeRequestId: string
  revision: string
  reviewer: string
  /** The user who requested the review. */
  requestedBy: string | null
  status: 'approved' | 'changes-requested'
  createdAt: Date
  updatedAt: Date
}

export const ReviewEntity = new EntitySchema<ReviewRow>({
  name: 'ChangeRequestReview',
  tableName: 'change_request_reviews',
  columns: {
    id: { type: 'text', primary: true },
    changeRequestId: { type: 'text', name: 'change_request_id' },
    revision: { type: 'text' },
    reviewer: { type: 'text' },
    requestedBy: { type: 'text', name: 'requested_by', nullable: true },
    status: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<ReviewRow>,
})
