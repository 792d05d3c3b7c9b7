import { z } from 'zod'
import { empty, Id, list, Member, Order, page, repeated, endpoints, onResource } from '@recto/contracts-shared'
import { Comment, CommentReply, PostComment, PostCommentReply, UpdateComment, UpdateCommentReply } from './comment.ts'

/** Query of every read of comments. */
export const formatted = z.object({
  format: z.enum(['document', 'markdown']).default('markdown').describe('Format of the text'),
})
const filter = page.extend({
  ...formatted.shape,
  order: Order,
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  targetPage: Id.optional().describe('Id of the page that they are about'),
  authors: repeated(Id, 100).optional().describe('Ids of users who posted them'),
})
const errors = ['not_found'] as const
const writing = ['not_found', 'conflict'] as const
const updating =
  'The author edits it; the author, or who has the role `edit`, resolves and reopens it; who may comment reacts to it.'

const formattedText = 'Its text is Markdown unless `format` says otherwise.'
const removal =
  'Its author may delete it, and whoever has the role `admin` (403). One that is not there is no error; in a deleted space nothing is written (409).'
const commenting = {
  list: 'Open and resolved ones, of all pages and authors, unless the query says otherwise. `outdated` says that what a comment is about is not there any more as it was.',
  post: 'It is about a page, a block or a cell of a table, or without these about the content as a whole; what is not there is 404 with its field. In a deleted space nothing is written (409).',
  get: `${formattedText} Replies have a list of their own.`,
  remove: removal,
} as const
const replying = {
  list: 'Texts are Markdown unless `format` says otherwise. Without the comment it is 404, and not an empty list.',
  post: 'A resolved comment can be replied to, too, and stays resolved. In a deleted space nothing is written (409).',
  get: formattedText,
  update: 'Only its author edits it (403); who may comment reacts to it. In a deleted space nothing is written (409).',
  remove: removal,
} as const
const commenters = 'Replies count, too. Who has left the organization is not listed.'

/** Comments on the main content of spaces. */
export const comments = endpoints({
  listCommentsInSpace: {
    route: 'GET /spaces/{spaceId}/comments',
    summary: 'List the comments on the main content of a space, newest first',
    description: commenting.list,
    query: filter,
    reply: list(Comment),
    errors,
    access: onResource('comment'),
    examples: [{}, { query: { authors: '{userId}', targetPage: '{pageId}' }, ignores: ['userId', 'pageId'] }],
  },
  postCommentInSpace: {
    route: 'POST /spaces/{spaceId}/comments',
    summary: 'Comment on the main content of a space',
    description: commenting.post,
    body: PostComment,
    reply: Comment,
    creates: 'effect',
    errors: writing,
    access: onResource('comment'),
    records: ['comment.created'],
    examples: [{ body: { body: { markdown: 'Which **version** is this?' }, page: '{pageId}' } }],
  },
  getCommentInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}',
    summary: 'Get a comment on the main content of a space',
    description: commenting.get,
    query: formatted,
    reply: Comment,
    errors,
    access: onResource('comment'),
  },
  updateCommentInSpace: {
    route: 'PUT /spaces/{spaceId}/comments/{commentId}',
    summary: 'Edit, resolve, reopen or react to a comment on the main content of a space',
    description: `${updating} In a deleted space nothing is written (409).`,
    body: UpdateComment,
    reply: Comment,
    errors: writing,
    access: onResource('comment'),
    records: ['comment.updated'],
    examples: [{ body: { addedReactions: ['1f44d'] } }, { body: { body: { markdown: 'It is version 2.' } } }],
  },
  deleteCommentInSpace: {
    route: 'DELETE /spaces/{spaceId}/comments/{commentId}',
    summary: 'Delete a comment on the main content of a space with its replies',
    description: commenting.remove,
    reply: empty,
    status: 204,
    errors: writing,
    access: onResource('comment'),
    records: ['comment.deleted'],
  },
  listCommentRepliesInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment on the main content of a space, oldest first',
    description: replying.list,
    query: page.extend(formatted.shape),
    reply: list(CommentReply),
    errors,
    access: onResource('comment'),
  },
  postCommentReplyInSpace: {
    route: 'POST /spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'Reply to a comment on the main content of a space',
    description: replying.post,
    body: PostCommentReply,
    reply: CommentReply,
    creates: 'effect',
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.created'],
    examples: [{ body: { body: { markdown: 'It is version 2.' } } }],
  },
  getCommentReplyInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply to a comment on the main content of a space',
    description: replying.get,
    query: formatted,
    reply: CommentReply,
    errors,
    access: onResource('comment'),
  },
  updateCommentReplyInSpace: {
    route: 'PUT /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Edit or react to a reply to a comment on the main content of a space',
    description: replying.update,
    body: UpdateCommentReply,
    reply: CommentReply,
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.updated'],
    examples: [{ body: { addedReactions: ['1f44d'] } }, { body: { body: { markdown: 'It is version 2.' } } }],
  },
  deleteCommentReplyInSpace: {
    route: 'DELETE /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply to a comment on the main content of a space',
    description: replying.remove,
    reply: empty,
    status: 204,
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.deleted'],
  },
  listCommentersInSpace: {
    route: 'GET /spaces/{spaceId}/commenters',
    summary: 'List the members who commented on the main content of a space, by when they did first',
    description: commenters,
    query: page,
    reply: list(Member),
    errors,
    access: onResource('comment'),
  },
})

/** Comments on change requests. */
export const changeRequestComments = endpoints({
  listCommentsInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'List the comments on a change request, newest first',
    description: commenting.list,
    query: filter,
    reply: list(Comment),
    errors,
    access: onResource('comment'),
    examples: [{}, { query: { authors: '{userId}', targetPage: '{pageId}' }, ignores: ['userId', 'pageId'] }],
  },
  postCommentInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'Comment on a change request',
    description: `${commenting.post} A merged or archived change request can be commented on, too.`,
    body: PostComment,
    reply: Comment,
    creates: 'effect',
    errors: writing,
    access: onResource('comment'),
    records: ['comment.created'],
    examples: [{ body: { body: { markdown: 'Which **version** is this?' }, page: '{pageId}' } }],
  },
  getCommentInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Get a comment on a change request',
    description: commenting.get,
    query: formatted,
    reply: Comment,
    errors,
    access: onResource('comment'),
    examples: [{ params: { commentId: '{changeRequestCommentId}' } }],
  },
  updateCommentInChangeRequest: {
    route: 'PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Edit, resolve, reopen or react to a comment on a change request',
    description: `${updating} In a deleted space nothing is written (409).`,
    body: UpdateComment,
    reply: Comment,
    errors: writing,
    access: onResource('comment'),
    records: ['comment.updated'],
    examples: [
      {
        params: { commentId: '{changeRequestCommentId}' },
        body: { addedReactions: ['1f44d'] },
      },
      {
        params: { commentId: '{changeRequestCommentId}' },
        body: { body: { markdown: 'It is version 2.' } },
      },
    ],
  },
  deleteCommentInChangeRequest: {
    route: 'DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Delete a comment on a change request with its replies',
    description: commenting.remove,
    reply: empty,
    status: 204,
    errors: writing,
    access: onResource('comment'),
    records: ['comment.deleted'],
    examples: [{ params: { commentId: '{changeRequestCommentId}' } }],
  },
  listCommentRepliesInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment on a change request, oldest first',
    description: replying.list,
    query: page.extend(formatted.shape),
    reply: list(CommentReply),
    errors,
    access: onResource('comment'),
    examples: [{ params: { commentId: '{changeRequestCommentId}' } }],
  },
  postCommentReplyInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'Reply to a comment on a change request',
    description: replying.post,
    query: formatted,
    body: PostCommentReply,
    reply: CommentReply,
    creates: 'effect',
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.created'],
    examples: [{ params: { commentId: '{changeRequestCommentId}' }, body: { body: { markdown: 'It is version 2.' } } }],
  },
  getCommentReplyInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply to a comment on a change request',
    description: replying.get,
    query: formatted,
    reply: CommentReply,
    errors,
    access: onResource('comment'),
    examples: [{ params: { commentId: '{changeRequestCommentId}', commentReplyId: '{changeRequestReplyId}' } }],
  },
  updateCommentReplyInChangeRequest: {
    route: 'PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Edit or react to a reply to a comment on a change request',
    description: replying.update,
    body: UpdateComment,
    reply: CommentReply,
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.updated'],
    examples: [
      {
        params: { commentId: '{changeRequestCommentId}', commentReplyId: '{changeRequestReplyId}' },
        body: { addedReactions: ['1f44d'] },
      },
      {
        params: { commentId: '{changeRequestCommentId}', commentReplyId: '{changeRequestReplyId}' },
        body: { body: { markdown: 'It is version 2.' } },
      },
    ],
  },
  deleteCommentReplyInChangeRequest: {
    route: 'DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply to a comment on a change request',
    description: replying.remove,
    reply: empty,
    status: 204,
    errors: writing,
    access: onResource('comment'),
    records: ['comment-reply.deleted'],
    examples: [{ params: { commentId: '{changeRequestCommentId}', commentReplyId: '{changeRequestReplyId}' } }],
  },
  listCommentersInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/commenters',
    summary: 'List the members who commented on a change request, by when they did first',
    description: commenters,
    query: page,
    reply: list(Member),
    errors,
    access: onResource('comment'),
  },
})
