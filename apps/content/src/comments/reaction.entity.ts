import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The reaction of a user to a comment, or to a reply to it. */
export interface ReactionRow {
  commentId: string
  replyId: string | null
  /** The id of the reply, or of the comment for a reaction to the comment itself. */
  subjectId: string
  /** The code points of the emoji, the same for all its spellings. */
  symbol: string
  /** The emoji as the request spelled it. */
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
