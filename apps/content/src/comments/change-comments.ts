import { memberActor } from '@recto/actor'
import type { changeComments } from '@recto/contracts-content'
import { Failure, type Input, type Output } from '@recto/operation'
import { groupBy } from '../lists/group-by.ts'
import { readableChangeRequest, type ChangeRequestParams } from '../change-requests/readable-change-request.ts'
import { spaceCan } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import { type CommentPlace, placeOf } from './comment-place.ts'
import * as comments from './comments.repository.ts'
import { presentComments, presentReplies } from './present-comment.ts'
import * as replies from './replies.repository.ts'

type Row = typeof changeComments.listCommentsBesideChanges
type ChangeComment = Output<Row>['items'][number]

/** The comments of a change request as one of its readers sees them. */
export interface ReadableComments {
  place: CommentPlace
  /** The context of the reader: a visitor's is that of the member who they are. */
  context: Context
}

/**
 * Opens the comments of a change request. A visitor needs the rights of the member for whom their preview was made, as these are now:
 * without them, and without such a member, it throws `not_found`.
 */
export async function openComments(params: ChangeRequestParams, context: Context): Promise<ReadableComments> {
  const visible = await readableChangeRequest(context, params)
  if (!context.actor.visitor) return { place: placeOf(visible, context), context }
  const asMember = { ...context, actor: await memberOf(context) }
  const readable = await readableChangeRequest(asMember, params)
  if (!spaceCan.comment(readable.role)) throw noComments()
  return { place: placeOf(readable, asMember), context: asMember }
}

/** The member for whom the preview of a visitor was made, with what they may do now; throws `not_found` where there is none. */
async function memberOf({ actor: { visitor }, people }: Context) {
  if (visitor?.member === undefined || !visitor.previews) throw noComments()
  const { organization, member: user } = visitor
  const { members } = await people.listMemberships({ body: { organization, users: [user] } })
  const [membership] = members
  if (!membership) throw noComments()
  return memberActor(user, { organization, role: membership.role, teams: membership.teams })
}

function noComments(): Failure {
  return new Failure('not_found', 'There are no comments to read')
}

/** Lists comments with their replies; of people it tells names alone. */
export async function listCommentsBesideChanges(
  { place, context }: ReadableComments,
  { targetPage, ...request }: Input<Row>['query'],
): Promise<Output<Row>> {
  const filter = { on: place.on, status: 'all' as const, order: 'asc' as const, targetPage }
  const page = await comments.list(context.db, filter, { ...request, cursorKey: context.cursorKey() })
  const shape = { place, format: 'markdown' as const }
  const replyRows = await replies.listFirst(
    context.db,
    page.items.flatMap(row => (row.replies > 0 ? [row.id] : [])),
  )
  const presentedReplies = await presentReplies(replyRows, shape, context)
  const repliesOf = groupBy(
    replyRows.map(({ commentId }, at) => ({ commentId, reply: presentedReplies[at] })),
    ({ commentId }) => commentId,
  )
  const items = (await presentComments(page.items, shape, context)).map(
    ({ target, status, replies: count, ...comment }) => ({
      object: 'change-comment' as const,
      ...remark(comment),
      status,
      ...(target.page && { page: { id: target.page.id, title: target.page.title } }),
      ...(target.node && { node: target.node }),
      outdated: target.page?.outdated === true,
      replies: (repliesOf.get(comment.id) ?? []).flatMap(({ reply }) => (reply ? [remark(reply)] : [])),
      replyCount: count,
    }),
  )
  return { ...page, items }
}

type Posted = Awaited<ReturnType<typeof presentReplies>>[number]

function remark({ id, postedBy, postedAt, editedAt, body }: Omit<Posted, 'object'>): ChangeComment['replies'][number] {
  const markdown = 'markdown' in body ? body.markdown : ''
  return { id, author: postedBy.displayName, postedAt, ...(editedAt !== undefined && { editedAt }), markdown }
}
