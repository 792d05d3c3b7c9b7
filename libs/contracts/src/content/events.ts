import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '../conventions.ts'

const changed = { organization: Id, by: Id.describe('The user who did it'), at: Timestamp }
const fields = z.array(z.string()).describe('Names of the fields that changed')
const subjects = {
  users: z.array(Id).describe('Users whose grants changed'),
  teams: z.array(Id).describe('Teams whose grants changed'),
  defaultLevel: z.boolean().describe('Whether the default level changed'),
}

/** What content tells. */
export const contentEvents = events({
  spaceCreated: {
    subject: 'events.content.space.created',
    summary: 'A space exists',
    payload: z.object({ ...changed, space: Id, parent: Id.nullable() }),
    consumers: [],
  },
  spaceUpdated: {
    subject: 'events.content.space.updated',
    summary: 'The settings of a space changed',
    payload: z.object({ ...changed, space: Id, fields }),
    consumers: [],
  },
  spacePermissionChanged: {
    subject: 'events.content.space-permission.changed',
    summary: 'Who may do what on a space changed on the space itself',
    payload: z.object({ ...changed, space: Id, ...subjects }),
    consumers: [],
  },
  collectionCreated: {
    subject: 'events.content.collection.created',
    summary: 'A collection exists',
    payload: z.object({ ...changed, collection: Id, parent: Id.nullable() }),
    consumers: [],
  },
  collectionUpdated: {
    subject: 'events.content.collection.updated',
    summary: 'The settings of a collection changed',
    payload: z.object({ ...changed, collection: Id, fields }),
    consumers: [],
  },
  collectionPermissionChanged: {
    subject: 'events.content.collection-permission.changed',
    summary: 'Who may do what on a collection, and what inherits from it, changed on the collection itself',
    payload: z.object({ ...changed, collection: Id, ...subjects }),
    consumers: [],
  },
})
