import type { reviews as rows } from '@recto/contracts-content'
import type { Output } from '@recto/operation'
import type { ReadableChangeRequest } from '../change-requests/readable-change-request.ts'
import { placeOf } from '../comments/comment-place.ts'
import type { TextFormat } from '../comments/comment-text.ts'
import * as comments from '../comments/comments.repository.ts'
import { presentComments } from '../comments/present-comment.ts'
import type { RequestedReviewerRow } from './requested-reviewer.entity.ts'
import type { ReviewRow } from './review.entity.ts'
import { spaceCan } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import { describeUsers } from '../users/users.ts'

type Review = Output<typeof rows.submitChangeRequestReview>
type Requested = Output<typeof rows.requestReviewersForChangeRequest>['users'][number]

/** The address of a review in the API. */
export function reviewUrl({ space, changeRequest }: ReadableChangeRequest, id: string, publicUrl: string): string {
  return `${publicUrl}/v1/spaces/${space.id}/change-requests/${changeRequest.id}/reviews/${id}`
}

/** Reviews as the API shows them, with their comments for those who may see comments. */
export async function presentReviews(
  reviews: ReviewRow[],
  { format, ...readable }: ReadableChangeRequest & { format: TextFormat },
  context: Context,
): Promise<Review[]> {
  const { space, role, changeRequest } = readable
  const ids = reviews.map(({ id }) => id)
  const commentRows = spaceCan.comment(role) ? await comments.listOfReviews(context.db, ids) : []
  const presentedComments =
    commentRows.length === 0
      ? []
      : await presentComments(commentRows, { place: placeOf(readable, context), format }, context)
  const commentOf = new Map(presentedComments.map((comment, at) => [commentRows[at]?.reviewId, comment]))
  const people = reviews.flatMap(({ reviewer, requestedBy }) => [
    reviewer,
    ...(requestedBy === null ? [] : [requestedBy]),
  ])
  const user = await describeUsers(context, space.organizationId, people)
  return reviews.map(({ id, revision, reviewer, requestedBy, status, createdAt, updatedAt }) => {
    const comment = commentOf.get(id)
    return {
      object: 'change-request-review',
      id,
      revision,
      status,
      reviewer: user(reviewer),
      ...(requestedBy !== null && { requestedBy: user(requestedBy) }),
      outdated: revision !== changeRequest.revision,
      ...(comment && { comment }),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      urls: { location: reviewUrl(readable, id, context.publicUrl) },
    }
  })
}

/** Requested reviewers as the API shows them. */
export async function presentRequested(
  requests: RequestedReviewerRow[],
  organization: string,
  context: Context,
): Promise<Requested[]> {
  const people = requests.flatMap(({ userId, requestedBy }) => [userId, requestedBy])
  const user = await describeUsers(context, organization, people)
  return requests.map(({ userId, revision, requestedBy, createdAt }) => ({
    object: 'change-request-requested-reviewer',
    kind: 'user',
    user: user(userId),
    revision,
    requestedBy: user(requestedBy),
    createdAt: createdAt.toISOString(),
  }))
}
