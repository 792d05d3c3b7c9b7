import { Failure } from '@recto/operation'
import type { CommentPlace } from './comment-place.ts'
import type { CommentRow } from './comment.entity.ts'
import * as repository from './comments.repository.ts'
import * as replies from './replies.repository.ts'
import type { ReplyRow } from './reply.entity.ts'
import type { Context } from '../shared/context.ts'

/** The path parameters of comments; without `changeRequestId` they are on main content. */
export interface Params {
  spaceId: string
  changeRequestId?: string
}
/** Those of one comment. */
export type CommentParams = Params & { commentId: string }
/** Those of one reply. */
export type ReplyParams = CommentParams & { commentReplyId: string }

/** A comment of a place; throws `not_found`. */
export async function findComment(
  { on }: CommentPlace,
  { commentId }: CommentParams,
  { db }: Pick<Context, 'db'>,
): Promise<CommentRow> {
  return requireFound(await repository.find(db, on, commentId), 'comment')
}

/** A reply to a comment of a place; throws `not_found` when one is missing. */
export async function findReply(
  place: CommentPlace,
  params: ReplyParams,
  context: Pick<Context, 'db'>,
): Promise<ReplyRow> {
  const { id } = await findComment(place, params, context)
  return requireFound(await replies.find(context.db, id, params.commentReplyId), 'reply')
}

/** Locks a comment until the transaction ends; throws `not_found`. The caller holds the locks of the place. */
export async function lockComment(
  db: Context['db'],
  { on }: CommentPlace,
  { commentId }: CommentParams,
): Promise<CommentRow> {
  return requireFound(await repository.lock(db, on, commentId), 'comment')
}

/** Throws `not_found` for what is not there. */
export function requireFound<Row>(row: Row | undefined, noun: 'comment' | 'reply'): Row {
  if (!row) throw new Failure('not_found', `There is no such ${noun}`)
  return row
}
