import { allOf } from '@recto/contracts-shared'
import type { comments } from '@recto/contracts-content'
import type { Input } from '@recto/operation'
import {
  type CommentPlace,
  lockPlace,
  openPlace,
  changeOpenCount,
  requireWritable,
  revisionOf,
} from './comment-place.ts'
import { recordComment } from './comment-records.ts'
import { locateTarget } from './comment-target.ts'
import { toCommentText, type TextFormat } from './comment-text.ts'
import type { CommentRow } from './comment.entity.ts'
import { requireMayDelete } from './comments.policy.ts'
import * as repository from './comments.repository.ts'
import { postComment } from './post-comment.ts'
import { presentComments } from './present-comment.ts'
import type { Context } from '../shared/context.ts'
import { type CommentParams, findComment, type Params } from './find-comment.ts'
import { updateComment } from './update-comment.ts'

type Rows = typeof comments

/** Handlers of comments, the same for main content and for change requests. */
export const commentHandlers = {
  async list(params: Params, query: Input<Rows['listCommentsInSpace']>['query'], context: Context) {
    const place = await openPlace(context, params)
    const { authors, ...filter } = query
    const page = await repository.list(
      context.db,
      { ...filter, on: place.on, authors: authors === undefined ? undefined : allOf(authors) },
      { ...query, cursorKey: context.cursorKey() },
    )
    return { ...page, items: await presentComments(page.items, { place, format: query.format }, context) }
  },

  async post(params: Params, body: Input<Rows['postCommentInSpace']>['body'], context: Context) {
    const before = requireWritable(await openPlace(context, params))
    const revision = await revisionOf(before, context)
    // Pages are parsed before anything is locked.
    const about = { target: await locateTarget(revision, body, context), revision: revision.id }
    const comment = await context.transaction(async tx => {
      const place = await lockPlace(tx, params, context)
      return { place, row: await postComment(tx, { ...about, place, body: toCommentText(body.body) }, context) }
    })
    return presentOne(comment, 'markdown', context)
  },

  async get(params: CommentParams, { format }: { format: TextFormat }, context: Context) {
    const place = await openPlace(context, params)
    return presentOne({ place, row: await findComment(place, params, context) }, format, context)
  },

  async update(params: CommentParams, body: Input<Rows['updateCommentInSpace']>['body'], context: Context) {
    return presentOne(await updateComment(params, body, context), 'markdown', context)
  },

  async remove(params: CommentParams, context: Context) {
    await context.transaction(async tx => {
      const place = await lockPlace(tx, params, context)
      const row = await repository.lock(tx, place.on, params.commentId)
      if (!row) return
      requireMayDelete(place.who, row)
      await repository.remove(tx, row.id)
      if (row.status === 'open') await changeOpenCount(tx, place, -1)
      recordComment(tx, 'deleted', { place, comment: row })
    })
    return undefined
  },
}

async function presentOne(
  { place, row }: { place: CommentPlace; row: CommentRow },
  format: TextFormat,
  context: Context,
) {
  const [presentedComment] = await presentComments([row], { place, format }, context)
  if (!presentedComment) throw new Error('A comment was not presented')
  return presentedComment
}
