import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '@recto/contracts-shared'

const onComment = {
  organization: Id,
  by: Id.describe('Id of the user who did it'),
  at: Timestamp,
  space: Id,
  changeRequest: Id.optional().describe('Left out for a comment on main content'),
  comment: Id,
}
const comment = z.object(onComment)
const reply = z.object({ ...onComment, reply: Id })
const reactions = { added: z.array(z.string()), removed: z.array(z.string()) }

/** Events that content publishes about comments and replies. */
export const commentEvents = events({
  commentPosted: {
    subject: 'events.content.comment.posted',
    summary: 'A comment was posted',
    payload: comment,
    consumers: [],
  },
  commentEdited: {
    subject: 'events.content.comment.edited',
    summary: 'The text of a comment changed',
    payload: comment,
    consumers: [],
  },
  commentResolved: {
    subject: 'events.content.comment.resolved',
    summary: 'A comment was resolved',
    payload: comment,
    consumers: [],
  },
  commentReopened: {
    subject: 'events.content.comment.reopened',
    summary: 'A resolved comment is open again',
    payload: comment,
    consumers: [],
  },
  commentReactionsChanged: {
    subject: 'events.content.comment.reactions-changed',
    summary: 'A user reacted to a comment, or does not any more',
    payload: comment.extend(reactions),
    consumers: [],
  },
  commentDeleted: {
    subject: 'events.content.comment.deleted',
    summary: 'A comment was deleted with its replies',
    payload: comment,
    consumers: [],
  },
  commentReplyPosted: {
    subject: 'events.content.comment-reply.posted',
    summary: 'A comment was replied to',
    payload: reply,
    consumers: [],
  },
  commentReplyEdited: {
    subject: 'events.content.comment-reply.edited',
    summary: 'The text of a reply changed',
    payload: reply,
    consumers: [],
  },
  commentReplyReactionsChanged: {
    subject: 'events.content.comment-reply.reactions-changed',
    summary: 'A user reacted to a reply, or does not any more',
    payload: reply.extend(reactions),
    consumers: [],
  },
  commentReplyDeleted: {
    subject: 'events.content.comment-reply.deleted',
    summary: 'A reply was deleted',
    payload: reply,
    consumers: [],
  },
})
