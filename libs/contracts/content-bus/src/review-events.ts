import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '@recto/contracts-shared'

const changed = {
  organization: Id,
  by: Id.describe('Id of the user who did it'),
  at: Timestamp,
  space: Id,
  changeRequest: Id,
  number: z.number().int(),
}

/** Events that content publishes about reviews of change requests. */
export const reviewEvents = events({
  reviewSubmitted: {
    subject: 'events.content.review.submitted',
    summary: 'A change request was reviewed',
    payload: z.object({ ...changed, review: Id, status: z.enum(['changes-requested', 'approved']) }),
    consumers: [],
  },
  reviewersRequested: {
    subject: 'events.content.reviewers.requested',
    summary: 'Users were asked to review a change request',
    payload: z.object({ ...changed, users: z.array(Id) }),
    consumers: [],
  },
  reviewersRemoved: {
    subject: 'events.content.reviewers.removed',
    summary: 'Users are not asked to review a change request any more',
    payload: z.object({ ...changed, users: z.array(Id) }),
    consumers: [],
  },
})
