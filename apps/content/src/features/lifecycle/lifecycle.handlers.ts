import { lifecycle } from '@recto/contracts'
import { feature } from '@recto/operation'
import { viewOf } from '../../access/access.policy.ts'
import { presentCollection } from '../../hierarchy/collections/present-collection.ts'
import type { PlacedCollection } from '../../hierarchy/collections/collection.entity.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import { presentSpace } from '../../hierarchy/spaces/present-space.ts'
import type { PlacedSpace } from '../../hierarchy/spaces/space.entity.ts'
import { deleteCollection, moveCollection } from '../../hierarchy/trash/delete-collection.ts'
import { deleteSpace, duplicateSpace, moveSpace, restoreSpace } from '../../hierarchy/trash/space-trash.ts'
import { transferCollection, transferSpace } from '../../hierarchy/transfer/transfer-resource.ts'

export const lifecycleFeature = feature<BaseContext>()(lifecycle, {
  async deleteSpaceById({ params }, context) {
    await context.transaction(tx => deleteSpace(tx, context.actor, params.spaceId))
    return undefined
  },

  async restoreSpace({ params }, context) {
    return shownSpace(context, await context.transaction(tx => restoreSpace(tx, context.actor, params.spaceId)))
  },

  async duplicateSpace({ params }, context) {
    return shownSpace(context, await context.transaction(tx => duplicateSpace(tx, context.actor, params.spaceId)))
  },

  async moveSpace({ params, body }, context) {
    return shownSpace(
      context,
      await context.transaction(tx => moveSpace(tx, context.actor, { ...body, id: params.spaceId })),
    )
  },

  async transferSpace({ params, body }, context) {
    return shownSpace(context, await transferSpace(context, params.spaceId, body.organization))
  },

  async deleteCollectionById({ params }, context) {
    await context.transaction(tx => deleteCollection(tx, context.actor, params.collectionId))
    return undefined
  },

  async moveCollection({ params, body }, context) {
    return shownCollection(
      context,
      await context.transaction(tx => moveCollection(tx, context.actor, { ...body, id: params.collectionId })),
    )
  },

  async transferCollection({ params, body }, context) {
    return shownCollection(context, await transferCollection(context, params.collectionId, body.organization))
  },
})

function shownSpace(context: Context, space: PlacedSpace) {
  return presentSpace(space, viewOf(context.actor, space), context.publicUrl)
}

function shownCollection(context: Context, collection: PlacedCollection) {
  return presentCollection(collection, viewOf(context.actor, collection), context.publicUrl)
}
