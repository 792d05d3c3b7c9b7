import type { Comment, CommentReply } from '@recto/contracts-content'
import type { z } from 'zod'
import { groupBy } from '../lists/group-by.ts'
import type { Context } from '../shared/context.ts'
import { describeUsers, type ShowUser } from '../users/users.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { readTexts, type TextFormat } from './comment-text.ts'
import { type CommentPlace, commentsUrl, revisionOf } from './comment-place.ts'
import { loadDocuments, loadCommentedPages, pageTarget } from './comment-target.ts'
import { dependsOnText, isTargetOutdated } from './comment-target.rules.ts'
import type { CommentRow, CommentTarget } from './comment.entity.ts'
import { type CurrentTexts, followCells, isCellFollowed } from './follow-cells.ts'
import type { FollowedCell } from './table-cell.rules.ts'
import { commentPermissions } from './comments.policy.ts'
import * as reactions from './reactions.repository.ts'
import type { ReactionRow } from './reaction.entity.ts'
import { groupReactions } from './reactions.rules.ts'
import * as replies from './replies.repository.ts'
import type { ReplyRow } from './reply.entity.ts'

type PresentedTarget = z.input<typeof Comment>['target']

/** Presents comments, with as many queries and calls for a thousand as for one. */
export async function presentComments(
  rows: CommentRow[],
  { place, format }: { place: CommentPlace; format: TextFormat },
  context: Context,
): Promise<z.input<typeof Comment>[]> {
  if (rows.length === 0) return []
  const revision = await revisionOf(place, context)
  const targets = await presentTargets(rows, revision, context)
  const repliers = await replies.listRepliers(
    context.db,
    rows.flatMap(row => (row.replies > 0 ? [row.id] : [])),
  )
  const others = repliers.map(({ userId }) => userId)
  const shared = await loadSharedFields(rows, { place, format, revision, others }, context)
  const base = commentsUrl(place.on, context.publicUrl)
  const repliersOf = groupBy(repliers, ({ commentId }) => commentId)
  return rows.map((row, at) => ({
    object: 'comment',
    ...shared.fields(row, at),
    urls: { location: `${base}/${row.id}` },
    replies: row.replies,
    repliers: (repliersOf.get(row.id) ?? []).map(({ userId, count, updatedAt }) => ({
      user: shared.user(userId),
      count,
      updatedAt: updatedAt.toISOString(),
    })),
    target: targets[at] as PresentedTarget,
    ...statusOf(row, shared.user),
  }))
}

/** Presents replies to a comment. */
export async function presentReplies(
  rows: ReplyRow[],
  { place, format }: { place: CommentPlace; format: TextFormat },
  context: Context,
): Promise<z.input<typeof CommentReply>[]> {
  if (rows.length === 0) return []
  const shared = await loadSharedFields(rows, { place, format, revision: await revisionOf(place, context) }, context)
  const base = commentsUrl(place.on, context.publicUrl)
  return rows.map((row, at) => ({
    object: 'comment-reply',
    ...shared.fields(row, at),
    urls: { location: `${base}/${row.commentId}/replies/${row.id}` },
  }))
}

function statusOf({ status, resolvedAt, resolvedBy, postedBy }: CommentRow, user: ShowUser) {
  if (status === 'open' || !resolvedAt) return { status: 'open' as const }
  const at = resolvedAt.toISOString()
  return { status: 'resolved' as const, resolvedAt: at, resolvedBy: user(resolvedBy ?? postedBy) }
}

type Post = Pick<CommentRow, 'id' | 'body' | 'postedBy' | 'createdAt' | 'editedAt'> & { resolvedBy?: string | null }

/** Loads the fields that comments and replies share, for all rows at once. */
async function loadSharedFields(
  rows: Post[],
  {
    place,
    format,
    revision,
    others = [],
  }: { place: CommentPlace; format: TextFormat; revision: RevisionRow; others?: readonly string[] },
  context: Context,
) {
  const reactionRows = await reactions.listOf(
    context.db,
    rows.map(({ id }) => id),
  )
  const reactionsOf = groupBy(reactionRows, ({ subjectId }) => subjectId)
  const texts = await readTexts(
    rows.map(({ body }) => body),
    { format, revision },
    context,
  )
  const people = [
    ...rows.flatMap(({ postedBy, resolvedBy }) => [postedBy, ...(resolvedBy == null ? [] : [resolvedBy])]),
    ...reactionRows.map(({ userId }) => userId),
    ...others,
  ]
  const user = await describeUsers(context, place.space.organizationId, people)
  return {
    user,
    fields: (row: Post, at: number) => ({
      id: row.id,
      postedBy: user(row.postedBy),
      postedAt: row.createdAt.toISOString(),
      ...(row.editedAt && { editedAt: row.editedAt.toISOString() }),
      reactions: presentReactions(reactionsOf.get(row.id) ?? [], user),
      body: texts[at] as z.input<typeof Comment>['body'],
      permissions: commentPermissions(place.who, row),
    }),
  }
}

function presentReactions(rows: ReactionRow[], user: ShowUser) {
  return groupReactions(rows).map(({ emoji, users }) => ({
    emoji,
    count: users.length,
    users: users.map(({ userId, createdAt }) => ({ user: user(userId), reactedAt: createdAt.toISOString() })),
  }))
}

async function presentTargets(rows: CommentRow[], revision: RevisionRow, context: Context): Promise<PresentedTarget[]> {
  const index = await loadCommentedPages(context.db, revision)
  const pages = rows.flatMap(({ target }) => {
    const now = target.page && index.get(target.page.id)
    return now && (dependsOnText(target, now) || isCellFollowed(target, now)) ? [now] : []
  })
  const documents = await loadDocuments([...new Set(pages)], context)
  const cells = await followCells(
    rows.map(({ target }) => target),
    { index, documents },
    context,
  )
  return rows.map((row, at) => ({
    space: row.spaceId,
    revision: row.revision,
    ...(row.changeRequestId !== null && { changeRequest: row.changeRequestId }),
    ...(row.reviewId !== null && { review: row.reviewId }),
    ...(row.target.page && { page: presentPage(row.target, row.target.page, { index, documents, cell: cells[at] }) }),
    ...(row.target.node && { node: { id: cells[at]?.node ?? row.target.node.id, preview: row.target.node.preview } }),
    ...(row.target.tableCell && { tableCell: cells[at]?.tableCell ?? row.target.tableCell }),
  }))
}

/** Presents the current page of a target, or the page as it was when it no longer exists. */
function presentPage(
  target: CommentTarget,
  before: NonNullable<CommentTarget['page']>,
  { index, documents, cell }: CurrentTexts & { cell: FollowedCell | undefined },
) {
  const page = index.get(before.id)
  const { document: _document, ...fields } = page ? pageTarget(page, index) : before
  return {
    ...fields,
    outdated: isTargetOutdated(target, { page, document: documents.get(before.id), isCellThere: cell !== undefined }),
  }
}
