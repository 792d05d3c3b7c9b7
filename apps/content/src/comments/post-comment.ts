import type { Transaction } from '@recto/database'
import { createId } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { recordComment } from './comment-records.ts'
import { type CommentPlace, countComment, changeOpenCount } from './comment-place.ts'
import type { CommentRow } from './comment.entity.ts'
import * as repository from './comments.repository.ts'

/** A comment to post: its place, its target in a revision, its text and its review. */
export interface NewComment extends Pick<CommentRow, 'body' | 'target' | 'revision'> {
  place: CommentPlace
  reviewId?: string | null
}

/** Posts a comment of the actor, and counts it; the transaction must hold the locks of the place. */
export async function postComment(
  tx: Transaction,
  { place, reviewId = null, ...fields }: NewComment,
  { actor }: Context,
): Promise<CommentRow> {
  const row: CommentRow = {
    ...fields,
    ...place.on,
    id: createId(),
    reviewId,
    pageId: fields.target.page?.id ?? null,
    status: 'open',
    resolvedAt: null,
    resolvedBy: null,
    replies: 0,
    postedBy: actor.userId,
    createdAt: new Date(),
    editedAt: null,
  }
  await repository.insert(tx, row)
  await changeOpenCount(tx, place, 1)
  await countComment(tx, place)
  recordComment(tx, 'created', { place, comment: row })
  return row
}
