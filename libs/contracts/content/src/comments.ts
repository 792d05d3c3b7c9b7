import { operations } from '@recto/operation'
import { z } from 'zod'
import { empty, Id, list, Member, Order, page, repeated } from '@recto/contracts-shared'
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

/** Comments on the main content of spaces. */
export const comments = operations({
  listCommentsInSpace: {
    route: 'GET /spaces/{spaceId}/comments',
    summary: 'List the comments on the main content of a space, newest first',
    query: filter,
    reply: list(Comment),
    errors,
  },
  postCommentInSpace: {
    route: 'POST /spaces/{spaceId}/comments',
    summary: 'Comment on the main content of a space',
    body: PostComment,
    reply: Comment,
    creates: 'effect',
    errors: writing,
  },
  getCommentInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}',
    summary: 'Get a comment on the main content of a space',
    query: formatted,
    reply: Comment,
    errors,
  },
  updateCommentInSpace: {
    route: 'PUT /spaces/{spaceId}/comments/{commentId}',
    summary: 'Edit, resolve, reopen or react to a comment on the main content of a space',
    description: updating,
    body: UpdateComment,
    reply: Comment,
    errors: writing,
  },
  deleteCommentInSpace: {
    route: 'DELETE /spaces/{spaceId}/comments/{commentId}',
    summary: 'Delete a comment on the main content of a space with its replies',
    reply: empty,
    status: 204,
    errors: writing,
  },
  listCommentRepliesInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment on the main content of a space, oldest first',
    query: page.extend(formatted.shape),
    reply: list(CommentReply),
    errors,
  },
  postCommentReplyInSpace: {
    route: 'POST /spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'Reply to a comment on the main content of a space',
    body: PostCommentReply,
    reply: CommentReply,
    creates: 'effect',
    errors: writing,
  },
  getCommentReplyInSpace: {
    route: 'GET /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply to a comment on the main content of a space',
    query: formatted,
    reply: CommentReply,
    errors,
  },
  updateCommentReplyInSpace: {
    route: 'PUT /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Edit or react to a reply to a comment on the main content of a space',
    body: UpdateCommentReply,
    reply: CommentReply,
    errors: writing,
  },
  deleteCommentReplyInSpace: {
    route: 'DELETE /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply to a comment on the main content of a space',
    reply: empty,
    status: 204,
    errors: writing,
  },
  listCommentersInSpace: {
    route: 'GET /spaces/{spaceId}/commenters',
    summary: 'List the members who commented on the main content of a space, by when they did first',
    query: page,
    reply: list(Member),
    errors,
  },
})

/** Comments on change requests. */
export const changeRequestComments = operations({
  listCommentsInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'List the comments on a change request, newest first',
    query: filter,
    reply: list(Comment),
    errors,
  },
  postCommentInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'Comment on a change request',
    body: PostComment,
    reply: Comment,
    creates: 'effect',
    errors: writing,
  },
  getCommentInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Get a comment on a change request',
    query: formatted,
    reply: Comment,
    errors,
  },
  updateCommentInChangeRequest: {
    route: 'PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Edit, resolve, reopen or react to a comment on a change request',
    description: updating,
    body: UpdateComment,
    reply: Comment,
    errors: writing,
  },
  deleteCommentInChangeRequest: {
    route: 'DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Delete a comment on a change request with its replies',
    reply: empty,
    status: 204,
    errors: writing,
  },
  listCommentRepliesInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment on a change request, oldest first',
    query: page.extend(formatted.shape),
    reply: list(CommentReply),
    errors,
  },
  postCommentReplyInChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'Reply to a comment on a change request',
    query: formatted,
    body: PostCommentReply,
    reply: CommentReply,
    creates: 'effect',
    errors: writing,
  },
  getCommentReplyInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply to a comment on a change request',
    query: formatted,
    reply: CommentReply,
    errors,
  },
  updateCommentReplyInChangeRequest: {
    route: 'PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Edit or react to a reply to a comment on a change request',
    body: UpdateComment,
    reply: CommentReply,
    errors: writing,
  },
  deleteCommentReplyInChangeRequest: {
    route: 'DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply to a comment on a change request',
    reply: empty,
    status: 204,
    errors: writing,
  },
  listCommentersInChangeRequest: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/commenters',
    summary: 'List the members who commented on a change request, by when they did first',
    query: page,
    reply: list(Member),
    errors,
  },
})
