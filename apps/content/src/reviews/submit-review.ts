import type { reviews as rows } from '@recto/contracts-content'
import { createId, type Input } from '@recto/operation'
import { requireActive } from '../change-requests/change-requests.rules.ts'
import type { ReadableChangeRequest } from '../change-requests/readable-change-request.ts'
import { placeOf } from '../comments/comment-place.ts'
import { toCommentText } from '../comments/comment-text.ts'
import { postComment } from '../comments/post-comment.ts'
import * as requests from './requested-reviewers.repository.ts'
import { recordReview } from './review-records.ts'
import type { ReviewRow } from './review.entity.ts'
import * as reviews from './reviews.repository.ts'
import { spaceCan } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'
import { lockForWriting, type Params } from './lock-change-request.ts'

type Submitted = Input<typeof rows.submitChangeRequestReview>['body']

/** Reviews the current content of a change request, which fulfils the request for it; throws `conflict` when it is merged or archived. */
export async function submitReview(
  params: Params,
  { status, comment }: Submitted,
  context: Context,
): Promise<ReadableChangeRequest & { review: ReviewRow }> {
  const { actor } = context
  return context.transaction(async tx => {
    const readable = await lockForWriting(tx, { params, can: spaceCan.review }, context)
    const { space, changeRequest } = readable
    requireActive(changeRequest)
    const request = await requests.take(tx, changeRequest.id, actor.userId)
    const { revision } = changeRequest
    const now = new Date()
    const review: ReviewRow = {
      id: createId(),
      changeRequestId: changeRequest.id,
      revision,
      status,
      reviewer: actor.userId,
      requestedBy: request?.requestedBy ?? null,
      createdAt: now,
      updatedAt: now,
    }
    await reviews.insert(tx, review)
    const body = toCommentText(comment ?? {})
    if (Object.keys(body).length > 0) {
      const place = placeOf(readable, context)
      await postComment(tx, { place, body, revision, target: {}, reviewId: review.id }, context)
    }
    recordReview(tx, review, { space, changeRequest })
    return { ...readable, review }
  })
}
