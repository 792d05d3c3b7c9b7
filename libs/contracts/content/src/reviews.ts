import { z } from 'zod'
import { formatted } from './comment-rows.ts'
import {
  Description,
  empty,
  Id,
  list,
  page,
  Subject,
  Timestamp,
  User,
  endpoints,
  onResource,
} from '@recto/contracts-shared'
import { Comment, CommentBody } from './comment.ts'

const Verdict = z.enum(['changes-requested', 'approved'])

const ChangeRequestReview = z
  .object({
    object: z.literal('change-request-review'),
    id: Id,
    revision: Id.describe('Revision that was reviewed'),
    reviewer: User,
    requestedBy: User.optional().describe('Who had requested it'),
    status: Verdict,
    outdated: z.boolean().describe('The content of the change request has changed since'),
    comment: Comment.optional().describe('What the reviewer wrote, for those who may see comments'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'ChangeRequestReview', description: 'Review of a change request' })

const RequestedReviewer = z
  .object({
    object: z.literal('change-request-requested-reviewer'),
    kind: z.literal('user'),
    user: User,
    revision: Id.describe('Revision at the time of the request'),
    requestedBy: User,
    createdAt: Timestamp,
  })
  .meta({ id: 'ChangeRequestRequestedReviewer', description: 'User who was asked to review a change request' })

const SubmitReview = z
  .object({ status: Verdict, comment: CommentBody.optional() })
  .meta({ id: 'SubmitReview', description: 'A review to submit; its comment becomes one of the change request' })

const RequestReviewers = z
  .object({
    users: z.array(Id).max(100).describe('Members who can read the space'),
    subject: Subject.optional(),
    description: Description.optional(),
  })
  .meta({ id: 'RequestReviewers', description: 'Reviewers to request; subject and description are set with them' })

/** Reviews of change requests, and requests for them. */
export const reviews = endpoints({
  getReviewsByChangeRequestId: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
    summary: 'List the reviews of a change request, newest first',
    description:
      'A review is of the content as it was then: `outdated` says that it has changed since. What the reviewer wrote is there for those who may see comments.',
    query: page.extend({
      ...formatted.shape,
      outdated: z
        .enum(['true', 'false'])
        .optional()
        .describe('Only those of earlier content, or only those of the current content'),
    }),
    reply: list(ChangeRequestReview),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  submitChangeRequestReview: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
    summary: 'Review the current content of a change request',
    description:
      'Ends the request for your review, if there was one. Its comment becomes one of the change request. A change request that is merged or archived is refused (409).',
    body: SubmitReview,
    reply: ChangeRequestReview,
    creates: 'resource',
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('review'),
    records: ['change-request.reviewed', 'comment.created'],
    examples: [{ body: { status: 'approved' } }],
  },
  getChangeRequestReviewById: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}',
    summary: 'Get a review of a change request',
    description: 'What the reviewer wrote is there for those who may see comments.',
    query: formatted,
    reply: ChangeRequestReview,
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  getRequestedReviewersByChangeRequestId: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'List who was asked to review a change request and has not done so yet, newest first',
    description: 'A review ends the request for it; asking again puts the reviewer back on the list.',
    query: page,
    reply: list(RequestedReviewer),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
  },
  requestReviewersForChangeRequest: {
    route: 'POST /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'Request reviewers for a change request, and submit it if it is a draft',
    description:
      'All or nothing: a user who cannot read the space is 404 with its place in the list. Requests that are there already stay. A change request that is merged or archived is refused (409).',
    body: RequestReviewers,
    reply: z.object({ users: z.array(RequestedReviewer) }),
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.reviewers.updated', 'change-request.status.updated', 'change-request.updated'],
    examples: [{ body: { users: ['{userId}'] } }],
  },
  removeRequestedReviewerFromChangeRequest: {
    route: 'DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}',
    summary: 'Withdraw the request for a reviewer',
    description:
      'Reviews that they have submitted stay. Without a request nothing happens. In a deleted space nothing is written (409).',
    reply: empty,
    status: 204,
    errors: ['not_found', 'conflict'],
    scope: 'space:write',
    access: onResource('edit'),
    records: ['change-request.reviewers.updated'],
  },
})
