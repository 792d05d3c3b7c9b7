import { isDeepStrictEqual } from 'node:util'
import type { comments } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import type { Input } from '@recto/operation'
import { changedNames, recordComment } from './comment-records.ts'
import { type CommentPlace, lockPlace, changeOpenCount } from './comment-place.ts'
import { toCommentText } from './comment-text.ts'
import type { CommentRow } from './comment.entity.ts'
import { requireMayEdit, requireMayResolve } from './comments.policy.ts'
import * as repository from './comments.repository.ts'
import type { Context } from '../shared/context.ts'
import { changeReactions } from './change-reactions.ts'
import { type CommentParams, lockComment } from './find-comment.ts'

type Update = Input<typeof comments.updateCommentInSpace>['body']

/** The comment that is updated, with its place. */
interface CommentUpdate {
  place: CommentPlace
  row: CommentRow
  context: Context
}

/** Edits, resolves, reopens a comment and changes reactions, all or nothing. Records only real changes. */
export async function updateComment(
  params: CommentParams,
  { body, resolved, ...reactions }: Update,
  context: Context,
): Promise<{ place: CommentPlace; row: CommentRow }> {
  return context.transaction(async tx => {
    const place = await lockPlace(tx, params, context)
    const row = await lockComment(tx, place, params)
    const update = { place, row, context }
    const edits = body ? await edit(tx, update, body) : {}
    const status = resolved === undefined ? {} : await setResolved(tx, update, resolved)
    const hasReacted = await changeReactions(tx, { comment: row.id, reactions }, context)
    const fields = changedNames({ body: edits.body, status: status.status, reactions: hasReacted })
    const details = { fields, ...(status.status && { status: status.status }) }
    if (fields.length > 0) recordComment(tx, 'updated', { place, comment: row, details })
    return { place, row: { ...row, ...edits, ...status } }
  })
}

async function edit(
  tx: Transaction,
  { place, row }: CommentUpdate,
  text: NonNullable<Update['body']>,
): Promise<Partial<CommentRow>> {
  requireMayEdit(place.who, row)
  const body = toCommentText(text)
  if (isDeepStrictEqual(body, row.body)) return {}
  const changes = { body, editedAt: new Date() }
  await repository.update(tx, row.id, changes)
  return changes
}

async function setResolved(
  tx: Transaction,
  { place, row, context: { actor } }: CommentUpdate,
  resolved: boolean,
): Promise<Partial<CommentRow>> {
  requireMayResolve(place.who, row)
  if (resolved === (row.status === 'resolved')) return {}
  const changes = resolved
    ? { status: 'resolved' as const, resolvedAt: new Date(), resolvedBy: actor.userId }
    : { status: 'open' as const, resolvedAt: null, resolvedBy: null }
  await repository.update(tx, row.id, changes)
  await changeOpenCount(tx, place, resolved ? -1 : 1)
  return changes
}
