import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, Timestamp } from '@recto/contracts-shared'

const changed = { organization: Id, by: Id.describe('Id of the user who made the change'), at: Timestamp }
const Space = z.object({ ...changed, space: Id })
const Collection = z.object({ ...changed, collection: Id })

/** Events that content publishes about deletion, moves and transfers. */
export const lifecycleEvents = events({
  spaceDeleted: {
    subject: 'events.content.space.deleted',
    summary: 'A space was deleted; it can be restored',
    payload: Space,
    consumers: ['publishing'],
  },
  spaceRestored: {
    subject: 'events.content.space.restored',
    summary: 'A deleted space was restored',
    payload: Space,
    consumers: ['content', 'publishing', 'git-worker'],
  },
  spacePurged: {
    subject: 'events.content.space.purged',
    summary: 'A deleted space was purged with its content',
    payload: z.object({ organization: Id, space: Id, at: Timestamp }),
    consumers: ['content', 'publishing', 'git-worker'],
  },
  spaceTransferred: {
    subject: 'events.content.space.transferred',
    summary: 'A space was transferred to another organization',
    payload: Space.extend({ from: Id }),
    consumers: ['content', 'publishing'],
  },
  collectionTransferred: {
    subject: 'events.content.collection.transferred',
    summary: 'A collection was transferred to another organization with everything in it',
    payload: Collection.extend({ from: Id, spaces: z.array(Id) }),
    consumers: ['content', 'publishing'],
  },
  collectionDeleted: {
    subject: 'events.content.collection.deleted',
    summary: 'A collection was deleted with the collections in it; its spaces are deleted and can be restored',
    payload: Collection.extend({ spaces: z.array(Id), collections: z.array(Id) }),
    consumers: ['publishing'],
  },
})
