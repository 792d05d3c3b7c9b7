import { isDeepStrictEqual } from 'node:util'
import type { comments } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { createId, type Input } from '@recto/operation'
import { changedNames, recordReply } from './comment-records.ts'
import { type CommentPlace, countComment, lockPlace, openPlace } from './comment-place.ts'
import { toCommentText, type TextFormat } from './comment-text.ts'
import { requireMayDelete, requireMayEdit } from './comments.policy.ts'
import * as commentRows from './comments.repository.ts'
import { presentReplies } from './present-comment.ts'
import * as repository from './replies.repository.ts'
import type { ReplyRow } from './reply.entity.ts'
import type { Context } from '../shared/context.ts'
import { changeReactions } from './change-reactions.ts'
import {
  type CommentParams,
  findComment,
  findReply,
  lockComment,
  type ReplyParams,
  requireFound,
} from './find-comment.ts'

type Rows = typeof comments
interface Format {
  format: TextFormat
}

/** Handlers of replies, the same for main content and for change requests. */
export const replyHandlers = {
  async list(params: CommentParams, query: Input<Rows['listCommentRepliesInSpace']>['query'], context: Context) {
    const place = await openPlace(context, params)
    const { id } = await findComment(place, params, context)
    const page = await repository.list(context.db, id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await presentReplies(page.items, { place, format: query.format }, context) }
  },

  async post(
    params: CommentParams,
    { body, format = 'markdown' }: Input<Rows['postCommentReplyInSpace']>['body'] & Partial<Format>,
    context: Context,
  ) {
    const { actor } = context
    const reply = await context.transaction(async tx => {
      const place = await lockPlace(tx, params, context)
      const comment = await lockComment(tx, place, params)
      const row: ReplyRow = {
        id: createId(),
        commentId: comment.id,
        body: toCommentText(body),
        postedBy: actor.userId,
        createdAt: new Date(),
        editedAt: null,
      }
      await repository.insert(tx, row)
      await commentRows.update(tx, comment.id, { replies: comment.replies + 1 })
      await countComment(tx, place)
      recordReply(tx, 'created', { place, comment, reply: row.id })
      return { place, row }
    })
    return presentOne(reply, format, context)
  },

  async get(params: ReplyParams, { format }: Format, context: Context) {
    const place = await openPlace(context, params)
    return presentOne({ place, row: await findReply(place, params, context) }, format, context)
  },

  async update(params: ReplyParams, body: Input<Rows['updateCommentReplyInSpace']>['body'], context: Context) {
    const { body: text, ...reactions } = body
    const reply = await context.transaction(async tx => {
      const place = await lockPlace(tx, params, context)
      const comment = await lockComment(tx, place, params)
      const row = requireFound(await repository.find(tx, comment.id, params.commentReplyId), 'reply')
      const changes = text ? await edit(tx, { place, row }, text) : {}
      const hasReacted = await changeReactions(tx, { comment: comment.id, reply: row.id, reactions }, context)
      const fields = changedNames({ body: changes.body, reactions: hasReacted })
      if (fields.length > 0) recordReply(tx, 'updated', { place, comment, reply: row.id, details: { fields } })
      return { place, row: { ...row, ...changes } }
    })
    return presentOne(reply, 'markdown', context)
  },

  async remove(params: ReplyParams, context: Context) {
    await context.transaction(async tx => {
      const place = await lockPlace(tx, params, context)
      const comment = await commentRows.lock(tx, place.on, params.commentId)
      const row = comment && (await repository.find(tx, comment.id, params.commentReplyId))
      if (!comment || !row) return
      requireMayDelete(place.who, row)
      await repository.remove(tx, row.id)
      await commentRows.update(tx, comment.id, { replies: comment.replies - 1 })
      recordReply(tx, 'deleted', { place, comment, reply: row.id })
    })
    return undefined
  },
}

async function edit(
  tx: Transaction,
  { place, row }: { place: CommentPlace; row: ReplyRow },
  text: Parameters<typeof toCommentText>[0],
): Promise<Partial<ReplyRow>> {
  requireMayEdit(place.who, row)
  const body = toCommentText(text)
  if (isDeepStrictEqual(body, row.body)) return {}
  const changes = { body, editedAt: new Date() }
  await repository.update(tx, row.id, changes)
  return changes
}

async function presentOne(
  { place, row }: { place: CommentPlace; row: ReplyRow },
  format: TextFormat,
  context: Context,
) {
  const [presentedReply] = await presentReplies([row], { place, format }, context)
  if (!presentedReply) throw new Error('A reply was not presented')
  return presentedReply
}
