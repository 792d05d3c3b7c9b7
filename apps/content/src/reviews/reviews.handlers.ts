import { reviews } from '@recto/contracts-content'
import { feature } from '@recto/operation'
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
    const { space, changeRequest } = readable
    // A review has no address of its own: it is in this list.
    context.setLocation(`${context.publicUrl}/v1/spaces/${space.id}/change-requests/${changeRequest.id}/reviews`)
    return presentedReview
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
