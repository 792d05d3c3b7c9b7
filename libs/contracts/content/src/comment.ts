import { z } from 'zod'
import { asJson, Emoji, Id, text, Timestamp, Url, User, placedPage } from '@recto/contracts-shared'
import { JSONDocument } from '@recto/markdown/schema'
import { DocumentInput } from './editing.ts'

/** Limits of a comment: characters of its Markdown, of its document as JSON, of the key of a block; different reactions to it, and those of one request. */
export const commentLimits = { markdown: 10_000, document: 50_000, node: 200, emojis: 50, reactions: 50 }

/** The body of a comment or reply as callers give it. */
export const CommentBody = DocumentInput.refine(({ markdown = '' }) => [...markdown].length <= commentLimits.markdown, {
  path: ['markdown'],
  message: `must have at most ${commentLimits.markdown} characters`,
})
  .refine(({ document = {} }) => (asJson(document)?.length ?? Infinity) <= commentLimits.document, {
    path: ['document'],
    message: `must have at most ${commentLimits.document} characters as JSON`,
  })
  .meta({ id: 'CommentBody', description: 'Text of a comment as Markdown or as a document; it is kept as it is given' })

const Body = z
  .union([z.object({ markdown: z.string() }), z.object({ document: JSONDocument }), z.strictObject({})])
  .meta({ id: 'CommentText', description: 'Text of a comment in the requested format; nothing when it is empty' })

const TableCell = z
  .object({ record: text({ min: 1, max: commentLimits.node }), definition: text({ min: 1, max: commentLimits.node }) })
  .meta({ id: 'TableCellTarget', description: 'A cell of a table: a row and a column' })

const EmojiReaction = z
  .object({
    emoji: z.string(),
    count: z.number().int(),
    users: z.array(z.object({ user: User, reactedAt: Timestamp })),
  })
  .meta({ id: 'EmojiReaction', description: 'Who reacted with an emoji' })

const Target = z
  .object({
    space: Id,
    revision: Id.describe('Revision that was commented on'),
    changeRequest: Id.optional(),
    review: Id.optional().describe('Review that the comment was submitted with'),
    page: z
      .object({
        ...placedPage,
        outdated: z
          .boolean()
          .describe('The page, or the block or cell that was commented on, is not there any more or has changed'),
      })
      .optional()
      .describe('The page as it is now; as it was, when it is gone'),
    node: z
      .object({ id: z.string(), preview: z.string().optional().describe('Text of the block when it was commented on') })
      .optional(),
    tableCell: TableCell.optional(),
  })
  .meta({ id: 'CommentTarget', description: 'What a comment is about' })

const posted = {
  id: Id,
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Timestamp.optional(),
  reactions: z.array(EmojiReaction),
  body: Body,
  urls: z.object({ location: Url }),
  permissions: z.object({ view: z.boolean(), edit: z.boolean(), reply: z.boolean(), delete: z.boolean() }),
}

const Replier = z
  .object({ user: User, count: z.number().int(), updatedAt: Timestamp.describe('When they replied last') })
  .meta({ id: 'CommentReplier', description: 'Who replied to a comment, and how often' })

const comment = {
  object: z.literal('comment'),
  ...posted,
  replies: z.number().int(),
  repliers: z.array(Replier).describe('Who replied, the latest first'),
  target: Target,
}

/** A comment as replies show it. */
export const Comment = z
  .discriminatedUnion('status', [
    z.object({ ...comment, status: z.literal('open') }),
    z.object({ ...comment, status: z.literal('resolved'), resolvedAt: Timestamp, resolvedBy: User }),
  ])
  .meta({ id: 'Comment', description: 'Comment on the content of a space or change request, which starts a thread' })

/** A reply to a comment as replies show it. */
export const CommentReply = z
  .object({ object: z.literal('comment-reply'), ...posted })
  .meta({ id: 'CommentReply', description: 'Reply to a comment' })

/** A comment to post. */
export const PostComment = z
  .object({
    body: CommentBody,
    page: Id.optional().describe('Page that it is about'),
    node: text({ min: 1, max: commentLimits.node })
      .optional()
      .describe('Key, or id, of the block of the page (`format=document`) that it is about'),
    tableCell: TableCell.optional().describe('Cell that it is about, of the table that `node` names or of any table'),
  })
  .meta({ id: 'PostComment', description: 'A comment to post' })

/** A reply to post. */
export const PostCommentReply = z
  .object({ body: CommentBody })
  .meta({ id: 'PostCommentReply', description: 'A reply to post' })

const emojis = z.array(Emoji).max(commentLimits.reactions).optional()
const updated = {
  body: CommentBody.optional(),
  addedReactions: emojis.describe('Emojis; one per user'),
  removedReactions: emojis.describe('Emojis; they are removed before others are added'),
}

/** Changes of a comment. */
export const UpdateComment = z
  .object({ ...updated, resolved: z.boolean().optional() })
  .meta({ id: 'UpdateComment', description: 'Changes of a comment; the status of a reply is that of its comment' })

/** Changes of a reply. */
export const UpdateCommentReply = z
  .object(updated)
  .meta({ id: 'UpdateCommentReply', description: 'Changes of a reply' })
