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
import { type Commenter, requireCanSeeComments } from './comments.policy.ts'

/** The path parameters of the place of comments: a change request if they name one, else main content. */
export interface PlaceParams {
  spaceId: string
  changeRequestId?: string
}

/** The place of comments: its space, its change request if it is one, and the caller as a commenter. */
export type CommentPlace = ReadableSpace & { on: CommentedOn; who: Commenter; changeRequest?: ChangeRequestRow }

/** Reads the place of comments; throws `not_found`, or `forbidden` when the caller may not see comments. */
export async function openPlace(context: Context, { spaceId, changeRequestId }: PlaceParams): Promise<CommentPlace> {
  const readable =
    changeRequestId === undefined
      ? await readableSpace(context, spaceId)
      : await readableChangeRequest(context, { spaceId, changeRequestId })
  return placeOf(readable, context)
}

/** Makes the place of comments of a space or change request; throws `forbidden` when the caller may not see comments. */
export function placeOf(
  readable: ReadableSpace & { changeRequest?: ChangeRequestRow },
  { actor }: Context,
): CommentPlace {
  const { space, role, changeRequest } = readable
  requireCanSeeComments(role)
  return {
    ...readable,
    on: { spaceId: space.id, changeRequestId: changeRequest?.id ?? null },
    who: { role, userId: actor.userId, deletedAt: space.deletedAt },
  }
}

/**
 * Opens a place for writing, and locks it until the transaction ends; throws as `openPlace`, and `conflict` when the space is deleted. A
 * change request that is merged or archived still takes comments. Locks are taken in the order space, change request, comment.
 */
export async function lockPlace(tx: Transaction, params: PlaceParams, context: Context): Promise<CommentPlace> {
  await lockWithSpace(tx, params)
  return requireWritable(await openPlace({ ...context, db: tx }, params))
}

/** Throws `conflict` when the space is deleted. */
export function requireWritable(place: CommentPlace): CommentPlace {
  requireWrite(place, spaceCan.comment)
  return place
}

/** The current revision of the content that comments are on. */
export async function revisionOf({ space, changeRequest }: CommentPlace, { db }: Context): Promise<RevisionRow> {
  return revisions.get(db, changeRequest?.revision ?? space.revision)
}

/** Adds `change` to the number of open comments; the caller must hold the locks. The update time of a change request stays. */
export async function changeOpenCount(
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

/** Counts a comment of the caller as a contribution to the change request, if the place is one. */
export async function countComment(tx: Transaction, { changeRequest, who }: CommentPlace): Promise<void> {
  if (!changeRequest) return
  await countContribution(tx, { changeRequestId: changeRequest.id, userId: who.userId, actionType: 'comment' })
}

/** The API's URL of the comments of a place. */
export function commentsUrl({ spaceId, changeRequestId }: CommentedOn, publicUrl: string): string {
  const space = `${publicUrl}/v1/spaces/${spaceId}`
  return `${changeRequestId === null ? space : `${space}/change-requests/${changeRequestId}`}/comments`
}
