import { reviews } from '@recto/contracts-content'
import { Failure, feature } from '@recto/operation'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import * as requests from './requested-reviewers.repository.ts'
import * as repository from './reviews.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { presentRequested, presentReviews } from './present-reviews.ts'
import { requestReviewers, withdrawRequest } from './request-reviewers.ts'
import { submitReview } from './submit-review.ts'

export const reviewFeature = feature<BaseContext>()(reviews, {
  async getReviewsByChangeRequestId({ params, query }, context) {
    const readable = await readableChangeRequest(context, params)
    const { id: changeRequestId, revision } = readable.changeRequest
    const outdated = query.outdated === undefined ? null : query.outdated === 'true'
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await repository.list(context.db, { changeRequestId, revision, outdated }, request)
    return { ...page, items: await presentReviews(page.items, { ...readable, format: query.format }, context) }
  },

  async submitChangeRequestReview({ params, body }, context) {
    const { review, ...readable } = await submitReview(params, body, context)
    const [presentedReview] = await presentReviews([review], { ...readable, format: 'markdown' }, context)
    if (!presentedReview) throw new Error('A review was not presented')
    context.setLocation(presentedReview.urls.location)
    return presentedReview
  },

  async getChangeRequestReviewById({ params, query: { format } }, context) {
    const readable = await readableChangeRequest(context, params)
    const row = await repository.find(context.db, readable.changeRequest.id, params.reviewId)
    const [review] = row ? await presentReviews([row], { ...readable, format }, context) : []
    if (!review) throw new Failure('not_found', 'There is no such review')
    return review
  },

  async getRequestedReviewersByChangeRequestId({ params, query }, context) {
    const { space, changeRequest } = await readableChangeRequest(context, params)
    const page = await requests.list(context.db, changeRequest.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await presentRequested(page.items, space.organizationId, context) }
  },

  async requestReviewersForChangeRequest({ params, body }, context) {
    const { requests: requestRows, space } = await requestReviewers(params, body, context)
    return { users: await presentRequested(requestRows, space.organizationId, context) }
  },

  async removeRequestedReviewerFromChangeRequest({ params }, context) {
    await withdrawRequest(params, context)
    return undefined
  },
})
