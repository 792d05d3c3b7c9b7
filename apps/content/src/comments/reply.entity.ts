import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { CommentText } from './comment-text.ts'

/** A reply to a comment. */
export interface ReplyRow {
  id: string
  commentId: string
  body: CommentText
  postedBy: string
  createdAt: Date
  editedAt: Date | null
}

export const ReplyEntity = new EntitySchema<ReplyRow>({
  name: 'CommentReply',
  tableName: 'comment_replies',
  columns: {
    id: { type: 'text', primary: true },
    commentId: { type: 'text', name: 'comment_id' },
    body: { type: 'jsonb' },
    postedBy: { type: 'text', name: 'posted_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    editedAt: { type: 'timestamptz', precision: 3, name: 'edited_at', nullable: true },
  } satisfies EntityColumns<ReplyRow>,
})
