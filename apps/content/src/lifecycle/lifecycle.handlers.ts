import { lifecycle } from '@recto/contracts'
import { implement } from '@recto/operation'
import { viewOf } from '../access/access.policy.ts'
import { presentCollection } from '../collections/present.ts'
import type { PlacedCollection } from '../collections/collection.entity.ts'
import { actorOf, type Context } from '../context.ts'
import { presentSpace } from '../spaces/present.ts'
import type { PlacedSpace } from '../spaces/space.entity.ts'
import { deleteCollection, moveCollection } from './collections.ts'
import { deleteSpace, duplicateSpace, moveSpace, restoreSpace } from './spaces.ts'
import { transferCollection, transferSpace } from './transferring.ts'

export const lifecycleHandlers = implement<Context>()(lifecycle, {
  async deleteSpaceById({ params }, context) {
    await context.db.transaction(db => deleteSpace(db, actorOf(context), params.spaceId))
    return undefined
  },

  async restoreSpace({ params }, context) {
    return shownSpace(context, await context.db.transaction(db => restoreSpace(db, actorOf(context), params.spaceId)))
  },

  async duplicateSpace({ params }, context) {
    return shownSpace(context, await context.db.transaction(db => duplicateSpace(db, actorOf(context), params.spaceId)))
  },

  async moveSpace({ params, body }, context) {
    return shownSpace(
      context,
      await context.db.transaction(db => moveSpace(db, actorOf(context), { ...body, id: params.spaceId })),
    )
  },

  async transferSpace({ params, body }, context) {
    return shownSpace(context, await transferSpace(context, params.spaceId, body.organization))
  },

  async deleteCollectionById({ params }, context) {
    await context.db.transaction(db => deleteCollection(db, actorOf(context), params.collectionId))
    return undefined
  },

  async moveCollection({ params, body }, context) {
    return shownCollection(
      context,
      await context.db.transaction(db => moveCollection(db, actorOf(context), { ...body, id: params.collectionId })),
    )
  },

  async transferCollection({ params, body }, context) {
    return shownCollection(context, await transferCollection(context, params.collectionId, body.organization))
  },
})

function shownSpace(context: Context, space: PlacedSpace) {
  return presentSpace(space, viewOf(actorOf(context), space), context.publicUrl)
}

function shownCollection(context: Context, collection: PlacedCollection) {
  return presentCollection(collection, viewOf(actorOf(context), collection), context.publicUrl)
}
