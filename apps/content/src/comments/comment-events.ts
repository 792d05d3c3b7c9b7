import type { Actor } from '@recto/actor'
import { commentEvents } from '@recto/contracts-content-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { eventMetadata } from '../events/event-metadata.ts'
import type { CommentPlace } from './comment-place.ts'
import type { CommentRow } from './comment.entity.ts'

/** A change of a comment: its place, its id, and the actor who makes the change. */
export interface CommentChange {
  actor: Actor
  place: CommentPlace
  comment: string
}

const metadata = ({ actor, place: { space, changeRequest }, comment }: CommentChange) => ({
  ...eventMetadata(actor, space),
  space: space.id,
  ...(changeRequest && { changeRequest: changeRequest.id }),
  comment,
})

type CommentAction = 'Posted' | 'Edited' | 'Resolved' | 'Reopened' | 'Deleted'

/** Publishes the event of an action on a comment. */
export function publishComment(tx: Transaction, action: CommentAction, change: CommentChange): Promise<void> {
  return tx.publish(commentEvents[`comment${action}`], metadata(change))
}

/** Publishes the event of an action on a reply. */
export function publishReply(
  tx: Transaction,
  action: 'Posted' | 'Edited' | 'Deleted',
  { reply, ...change }: CommentChange & { reply: string },
): Promise<void> {
  return tx.publish(commentEvents[`commentReply${action}`], { ...metadata(change), reply })
}

/** Publishes the changes of the reactions to a comment, or to a reply to it. */
export function publishReactions(
  tx: Transaction,
  { reply, added, removed, ...change }: CommentChange & { reply?: string; added: string[]; removed: string[] },
): Promise<void> {
  const payload = { ...metadata(change), added, removed }
  return reply === undefined
    ? tx.publish(commentEvents.commentReactionsChanged, payload)
    : tx.publish(commentEvents.commentReplyReactionsChanged, { ...payload, reply })
}

/** A comment, or a reply to it, as the record names it. */
export interface RecordedComment {
  place: CommentPlace
  comment: Pick<CommentRow, 'id' | 'pageId'>
}

const subjectOf = ({ place: { space, changeRequest }, comment }: RecordedComment) => ({
  organization: space.organizationId,
  space: space.id,
  ...(changeRequest && { changeRequest: changeRequest.id }),
  ...(comment.pageId !== null && { page: comment.pageId }),
  comment: comment.id,
})

/** Records that a comment was posted or deleted, or which of its fields changed. */
export function recordComment(
  tx: Transaction,
  action: 'created' | 'updated' | 'deleted',
  { details, ...change }: RecordedComment & { details?: { fields: string[]; status?: CommentRow['status'] } },
): void {
  tx.record(recorded(`comment.${action}`, { ...subjectOf(change), details }))
}

/** Records that a reply was posted or deleted, or which of its fields changed. */
export function recordReply(
  tx: Transaction,
  action: 'created' | 'updated' | 'deleted',
  { reply, details, ...change }: RecordedComment & { reply: string; details?: { fields: string[] } },
): void {
  tx.record(recorded(`comment-reply.${action}`, { ...subjectOf(change), commentReply: reply, details }))
}

/** The names of what changed. */
export function changedNames(changes: Record<string, unknown>): string[] {
  return Object.keys(changes).filter(name => changes[name] !== undefined && changes[name] !== false)
}
