import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The reaction of a user to a comment, or to a reply to it. */
export interface ReactionRow {
  commentId: string
  replyId: string | null
  /** The reply, or the comment where there is none. */
  subjectId: string
  /** The code points of the emoji, which tell it apart however it was given. */
  symbol: string
  /** The emoji as it was given. */
  emoji: string
  userId: string
  createdAt: Date
}

export const ReactionEntity = new EntitySchema<ReactionRow>({
  name: 'CommentReaction',
  tableName: 'comment_reactions',
  columns: {
    commentId: { type: 'text', name: 'comment_id' },
    replyId: { type: 'text', name: 'reply_id', nullable: true },
    subjectId: { type: 'text', primary: true, name: 'subject_id' },
    symbol: { type: 'text', primary: true },
    emoji: { type: 'text' },
    userId: { type: 'text', primary: true, name: 'user_id' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<ReactionRow>,
})
