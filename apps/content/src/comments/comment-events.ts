import type { Actor } from '@recto/actor'
import { commentEvents } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import { eventMetadata } from '../events/event-metadata.ts'
import type { CommentPlace } from './comment-place.ts'

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
