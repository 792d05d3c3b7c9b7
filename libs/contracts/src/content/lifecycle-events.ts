import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '../conventions.ts'

const changed = { organization: Id, by: Id.describe('The user who did it'), at: Timestamp }
const Space = z.object({ ...changed, space: Id })
const Collection = z.object({ ...changed, collection: Id })

/** What content tells of where spaces and collections are, and whether they are there. */
export const lifecycleEvents = events({
  spaceDeleted: {
    subject: 'events.content.space.deleted',
    summary: 'A space is deleted, and can be restored',
    payload: Space,
    consumers: [],
  },
  spaceRestored: {
    subject: 'events.content.space.restored',
    summary: 'A space that was deleted is there again',
    payload: Space,
    consumers: [],
  },
  spacePurged: {
    subject: 'events.content.space.purged',
    summary: 'A space is gone for good, with its content, a week after it was deleted',
    payload: z.object({ organization: Id, space: Id, at: Timestamp }),
    consumers: [],
  },
  spaceMoved: {
    subject: 'events.content.space.moved',
    summary: 'A space lies elsewhere in its organization',
    payload: Space.extend({ parent: Id.nullable() }),
    consumers: [],
  },
  spaceTransferred: {
    subject: 'events.content.space.transferred',
    summary: 'A space belongs to another organization',
    payload: Space.extend({ from: Id }),
    consumers: [],
  },
  collectionTransferred: {
    subject: 'events.content.collection.transferred',
    summary: 'A collection belongs to another organization, with all that is in it',
    payload: Collection.extend({ from: Id, spaces: z.array(Id) }),
    consumers: [],
  },
  collectionDeleted: {
    subject: 'events.content.collection.deleted',
    summary: 'A collection is gone, with the collections in it; the spaces in it are deleted',
    payload: Collection.extend({ spaces: z.array(Id), collections: z.array(Id) }),
    consumers: [],
  },
  collectionMoved: {
    subject: 'events.content.collection.moved',
    summary: 'A collection lies elsewhere in its organization',
    payload: Collection.extend({ parent: Id.nullable() }),
    consumers: [],
  },
})
