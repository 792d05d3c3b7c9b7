import { events } from '@recto/operation'
import { z } from 'zod'
import { changeRequestStatuses, Id, Timestamp } from '@recto/contracts-shared'

const changed = {
  organization: Id,
  by: Id.describe('Id of the user who made the change'),
  at: Timestamp,
  space: Id,
  changeRequest: Id,
  number: z.number().int(),
}
const Status = z.enum(changeRequestStatuses)

/** Events that content publishes about change requests. */
export const changeRequestEvents = events({
  changeRequestCreated: {
    subject: 'events.content.change-request.created',
    summary: 'A change request was created',
    payload: z.object(changed),
    consumers: [],
  },
  changeRequestUpdated: {
    subject: 'events.content.change-request.updated',
    summary: 'The subject or the description of a change request changed',
    payload: z.object({ ...changed, fields: z.array(z.string()).describe('Names of the changed fields') }),
    consumers: [],
  },
  changeRequestStatusChanged: {
    subject: 'events.content.change-request.status-changed',
    summary: 'A change request has another status',
    payload: z.object({ ...changed, from: Status, to: Status }),
    consumers: [],
  },
  changeRequestContentChanged: {
    subject: 'events.content.change-request.content-changed',
    summary: 'The content of a change request is another revision',
    payload: z.object({ ...changed, from: Id, to: Id }),
    consumers: [],
  },
  changeRequestMerged: {
    subject: 'events.content.change-request.merged',
    summary: 'A change request was merged into main content',
    payload: z.object({ ...changed, revision: Id.describe('Main content since') }),
    consumers: [],
  },
})
