import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '@recto/contracts-shared'

const changed = { organization: Id, by: Id.describe('Id of the user who made the change'), at: Timestamp }
const fields = z.array(z.string()).describe('Names of the changed fields')
const subjects = {
  users: z.array(Id).describe('Users whose grants changed'),
  teams: z.array(Id).describe('Teams whose grants changed'),
  defaultLevel: z.boolean().describe('Whether the default level changed'),
}

/** Events that content publishes about spaces and collections. */
export const contentEvents = events({
  spaceCreated: {
    subject: 'events.content.space.created',
    summary: 'A space was created',
    payload: z.object({ ...changed, space: Id, parent: Id.nullable() }),
    consumers: [],
  },
  spaceUpdated: {
    subject: 'events.content.space.updated',
    summary: 'The settings of a space were updated',
    payload: z.object({ ...changed, space: Id, fields }),
    consumers: ['publishing'],
  },
  spacePermissionChanged: {
    subject: 'events.content.space-permission.changed',
    summary: 'Grants or the default level of a space changed',
    payload: z.object({ ...changed, space: Id, ...subjects }),
    consumers: [],
  },
  mainContentChanged: {
    subject: 'events.content.main-content.changed',
    summary: 'The main content of a space is another revision',
    payload: z.object({
      space: Id,
      from: Id.nullable().describe('Revision before; null when the space is new'),
      to: Id.describe('Revision since; by the time of handling there may be a later one'),
    }),
    consumers: ['content', 'publishing', 'git-worker'],
  },
  computedPagesOutdated: {
    subject: 'events.content.computed-pages.outdated',
    summary: 'A specification that pages of a space are computed from has another version, or is gone',
    payload: z.object({ space: Id }),
    consumers: ['content'],
  },
  specificationRecorded: {
    subject: 'events.content.specification.recorded',
    summary: 'A specification that pages are computed from was recorded, and may have changed meanwhile',
    payload: z.object({ organization: Id, slug: z.string() }),
    consumers: ['content'],
  },
  collectionCreated: {
    subject: 'events.content.collection.created',
    summary: 'A collection was created',
    payload: z.object({ ...changed, collection: Id, parent: Id.nullable() }),
    consumers: [],
  },
  collectionUpdated: {
    subject: 'events.content.collection.updated',
    summary: 'The settings of a collection were updated',
    payload: z.object({ ...changed, collection: Id, fields }),
    consumers: [],
  },
  collectionPermissionChanged: {
    subject: 'events.content.collection-permission.changed',
    summary: 'Grants or the default level of a collection changed',
    payload: z.object({ ...changed, collection: Id, ...subjects }),
    consumers: [],
  },
})
