import { Failure } from '@recto/operation'
import type { CommentPlace } from './comment-place.ts'
import type { CommentRow } from './comment.entity.ts'
import * as repository from './comments.repository.ts'
import * as replies from './replies.repository.ts'
import type { ReplyRow } from './reply.entity.ts'
import type { Context } from '../shared/context.ts'

/** The path parameters of a list of comments; without `changeRequestId` they are on main content. */
export interface Params {
  spaceId: string
  changeRequestId?: string
}
/** The path parameters of one comment. */
export type CommentParams = Params & { commentId: string }
/** The path parameters of one reply. */
export type ReplyParams = CommentParams & { commentReplyId: string }

/** Finds a comment of a place; throws `not_found`. */
export async function findComment(
  { on }: CommentPlace,
  { commentId }: CommentParams,
  { db }: Pick<Context, 'db'>,
): Promise<CommentRow> {
  return requireFound(await repository.find(db, on, commentId), 'comment')
}

/** Finds a reply to a comment of a place; throws `not_found` when the comment or the reply is missing. */
export async function findReply(
  place: CommentPlace,
  params: ReplyParams,
  context: Pick<Context, 'db'>,
): Promise<ReplyRow> {
  const { id } = await findComment(place, params, context)
  return requireFound(await replies.find(context.db, id, params.commentReplyId), 'reply')
}

/** Locks a comment until the transaction ends; throws `not_found`. The caller must hold the locks of the place. */
export async function lockComment(
  db: Context['db'],
  { on }: CommentPlace,
  { commentId }: CommentParams,
): Promise<CommentRow> {
  return requireFound(await repository.lock(db, on, commentId), 'comment')
}

/** Returns the row; throws `not_found` when it is undefined. */
export function requireFound<Row>(row: Row | undefined, noun: 'comment' | 'reply'): Row {
  if (!row) throw new Failure('not_found', `There is no such ${noun}`)
  return row
}
