import { changeComments, changeRequestComments, comments } from '@recto/contracts-content'
import { feature, fromView, type Input } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { listCommentsBesideChanges, openComments } from './change-comments.ts'
import { commentHandlers } from './comment-handlers.ts'
import { listCommenters } from './commenters.ts'
import { replyHandlers } from './reply-handlers.ts'

export const commentFeature = feature<BaseContext>()(comments, {
  listCommentsInSpace: ({ params, query }, context) => commentHandlers.list(params, query, context),
  postCommentInSpace: ({ params, body }, context) => commentHandlers.post(params, body, context),
  getCommentInSpace: ({ params, query }, context) => commentHandlers.get(params, query, context),
  updateCommentInSpace: ({ params, body }, context) => commentHandlers.update(params, body, context),
  deleteCommentInSpace: ({ params }, context) => commentHandlers.remove(params, context),
  listCommentRepliesInSpace: ({ params, query }, context) => replyHandlers.list(params, query, context),
  postCommentReplyInSpace: ({ params, body }, context) => replyHandlers.post(params, body, context),
  getCommentReplyInSpace: ({ params, query }, context) => replyHandlers.get(params, query, context),
  updateCommentReplyInSpace: ({ params, body }, context) => replyHandlers.update(params, body, context),
  deleteCommentReplyInSpace: ({ params }, context) => replyHandlers.remove(params, context),
  listCommentersInSpace: ({ params, query }, context) => listCommenters(params, query, context),
})

export const changeRequestCommentFeature = feature<BaseContext>()(changeRequestComments, {
  listCommentsInChangeRequest: ({ params, query }, context) => commentHandlers.list(params, query, context),
  postCommentInChangeRequest: ({ params, body }, context) => commentHandlers.post(params, body, context),
  getCommentInChangeRequest: ({ params, query }, context) => commentHandlers.get(params, query, context),
  updateCommentInChangeRequest: ({ params, body }, context) => commentHandlers.update(params, body, context),
  deleteCommentInChangeRequest: ({ params }, context) => commentHandlers.remove(params, context),
  listCommentRepliesInChangeRequest: ({ params, query }, context) => replyHandlers.list(params, query, context),
  postCommentReplyInChangeRequest: ({ params, query, body }, context) =>
    replyHandlers.post(params, { ...body, ...query }, context),
  getCommentReplyInChangeRequest: ({ params, query }, context) => replyHandlers.get(params, query, context),
  updateCommentReplyInChangeRequest: ({ params, body }, context) => replyHandlers.update(params, body, context),
  deleteCommentReplyInChangeRequest: ({ params }, context) => replyHandlers.remove(params, context),
  listCommentersInChangeRequest: ({ params, query }, context) => listCommenters(params, query, context),
})

export const changeCommentFeature = feature<BaseContext>()(changeComments, {
  listCommentsBesideChanges: fromView(
    ({ params }: Input<typeof changeComments.listCommentsBesideChanges>, context: Context) =>
      openComments(params, context),
    (comments, { query }) => listCommentsBesideChanges(comments, query),
  ),
})
