import type { CommentText } from './comment-text.ts'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The target of a comment when it was posted. */
export interface CommentTarget {
  page?: {
    id: string
    title: string
    emoji?: string
    icon?: string
    createdAt?: string
    updatedAt?: string
    path: string
    /** Hash of the page's text. */
    document?: string
  }
  /** A block of the page: its key or id, the hash of its whole text, and the beginning of the text as a preview. */
  node?: { id: string; preview: string; hash: string }
  tableCell?: { record: string; definition: string }
}

/** A comment: on main content, or on a change request. */
export interface CommentRow {
  id: string
  spaceId: string
  changeRequestId: string | null
  /** The review that the comment was submitted with. */
  reviewId: string | null
  /** The revision that was commented on. */
  revision: string
  pageId: string | null
  target: CommentTarget
  body: CommentText
  status: 'open' | 'resolved'
  resolvedAt: Date | null
  resolvedBy: string | null
  replies: number
  postedBy: string
  createdAt: Date
  editedAt: Date | null
}

export const CommentEntity = new EntitySchema<CommentRow>({
  name: 'Comment',
  tableName: 'comments',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    changeRequestId: { type: 'text', name: 'change_request_id', nullable: true },
    reviewId: { type: 'text', name: 'review_id', nullable: true },
    revision: { type: 'text' },
    pageId: { type: 'text', name: 'page_id', nullable: true },
    target: { type: 'jsonb' },
    body: { type: 'jsonb' },
    status: { type: 'text' },
    resolvedAt: { type: 'timestamptz', precision: 3, name: 'resolved_at', nullable: true },
    resolvedBy: { type: 'text', name: 'resolved_by', nullable: true },
    replies: { type: 'int' },
    postedBy: { type: 'text', name: 'posted_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    editedAt: { type: 'timestamptz', precision: 3, name: 'edited_at', nullable: true },
  } satisfies EntityColumns<CommentRow>,
})
