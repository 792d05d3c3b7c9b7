import type { Actor } from '@recto/actor'
import { commentEvents } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import { eventMetadata } from '../events/event-metadata.ts'
import type { CommentPlace } from './comment-place.ts'

/** A comment that something happens to, where it is, and who does it. */
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

type Happening = 'Posted' | 'Edited' | 'Resolved' | 'Reopened' | 'Deleted'

/** Publishes what happened to a comment. */
export function publishComment(tx: Transaction, happening: Happening, change: CommentChange): Promise<void> {
  return tx.publish(commentEvents[`comment${happening}`], metadata(change))
}

/** Publishes what happened to a reply. */
export function publishReply(
  tx: Transaction,
  happening: 'Posted' | 'Edited' | 'Deleted',
  { reply, ...change }: CommentChange & { reply: string },
): Promise<void> {
  return tx.publish(commentEvents[`commentReply${happening}`], { ...metadata(change), reply })
}

/** Publishes which reactions to a comment, or to a reply to it, changed. */
export function publishReactions(
  tx: Transaction,
  { reply, added, removed, ...change }: CommentChange & { reply?: string; added: string[]; removed: string[] },
): Promise<void> {
  const payload = { ...metadata(change), added, removed }
  return reply === undefined
    ? tx.publish(commentEvents.commentReactionsChanged, payload)
    : tx.publish(commentEvents.commentReplyReactionsChanged, { ...payload, reply })
}
