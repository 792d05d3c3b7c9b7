import type { Transaction } from '@recto/database'
import { readableSpace } from '../spaces/readable-space.ts'
import { type ReadableSpace, requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { ChangeRequestRow } from '../change-requests/change-request.entity.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { countContribution } from '../change-requests/contributors.repository.ts'
import { lockWithSpace, readableChangeRequest } from '../change-requests/readable-change-request.ts'
import type { CommentedOn } from './comments.repository.ts'
import { type Commenter, requireSeesComments } from './comments.policy.ts'

/** The path parameters of what comments are on: a change request if they name one, else main content. */
export interface CommentParams {
  spaceId: string
  changeRequestId?: string
}

/** The place of comments, with its space. */
export type CommentPlace = ReadableSpace & { on: CommentedOn; who: Commenter; changeRequest?: ChangeRequestRow }

/** Where comments are, for those who may see them; throws `not_found` or `forbidden`. */
export async function openPlace(context: Context, { spaceId, changeRequestId }: CommentParams): Promise<CommentPlace> {
  const readable =
    changeRequestId === undefined
      ? await readableSpace(context, spaceId)
      : await readableChangeRequest(context, { spaceId, changeRequestId })
  return placeOf(readable, context)
}

/** A space or change request that was read, as the place of its comments; throws `forbidden`. */
export function placeOf(
  readable: ReadableSpace & { changeRequest?: ChangeRequestRow },
  { actor }: Context,
): CommentPlace {
  const { space, role, changeRequest } = readable
  requireSeesComments(role)
  return {
    ...readable,
    on: { spaceId: space.id, changeRequestId: changeRequest?.id ?? null },
    who: { role, userId: actor.userId, deletedAt: space.deletedAt },
  }
}

/**
 * The same for writing, locked until the transaction ends; throws also `conflict` when the space is deleted. People still talk about a
 * change request that is merged or archived. Locks are taken in the order space, change request, comment.
 */
export async function lockPlace(tx: Transaction, params: CommentParams, context: Context): Promise<CommentPlace> {
  await lockWithSpace(tx, params)
  return requireWritable(await openPlace({ ...context, db: tx }, params))
}

/** Throws `conflict` when the space is deleted. */
export function requireWritable(place: CommentPlace): CommentPlace {
  requireWrite(place, spaceCan.comment)
  return place
}

/** The content that is commented on, as it is now. */
export async function revisionOf({ space, changeRequest }: CommentPlace, { db }: Context): Promise<RevisionRow> {
  return revisions.get(db, changeRequest?.revision ?? space.revision)
}

/** Changes the number of open comments by `change`; the caller holds the locks. The update of a change request is another thing. */
export async function recountOpen(
  tx: Transaction,
  { space, changeRequest }: CommentPlace,
  change: number,
): Promise<void> {
  if (!changeRequest) await spaces.updateCounts(tx, space.id, { comments: space.comments + change })
  else {
    const { id, comments, updatedAt } = changeRequest
    await changeRequests.update(tx, id, { comments: comments + change, updatedAt })
  }
}

/** Counts that the caller commented on a change request. */
export async function countComment(tx: Transaction, { changeRequest, who }: CommentPlace): Promise<void> {
  if (!changeRequest) return
  await countContribution(tx, { changeRequestId: changeRequest.id, userId: who.userId, actionType: 'comment' })
}

/** The URL of the comments of a place. */
export function commentsUrl({ spaceId, changeRequestId }: CommentedOn, publicUrl: string): string {
  const space = `${publicUrl}/v1/spaces/${spaceId}`
  return `${changeRequestId === null ? space : `${space}/change-requests/${changeRequestId}`}/comments`
}
