import { lifecycle } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { resolveAccess } from '../access/access.policy.ts'
import type { CollectionWithAcl } from './collection.entity.ts'
import { presentCollection } from '../collections/present-collection.ts'
import { duplicateSpace } from '../spaces/duplicate-space.ts'
import { collectionKind } from '../collections/collection-kind.ts'
import { spaceKind } from '../spaces/space-kind.ts'
import { moveResource } from './move-resource.ts'
import { presentSpace } from '../spaces/present-space.ts'
import type { SpaceWithAcl } from './space.entity.ts'
import { transferResource } from './transfer-resource.ts'
import { deleteCollection } from '../collections/delete-collection.ts'
import { deleteSpace } from '../spaces/delete-space.ts'
import { restoreSpace } from '../spaces/restore-space.ts'
import type { BaseContext, Context } from '../shared/context.ts'

export const lifecycleFeature = feature<BaseContext>()(lifecycle, {
  async deleteSpaceById({ params }, context) {
    await context.transaction(tx => deleteSpace(tx, context.actor, params.spaceId))
    return undefined
  },

  async restoreSpace({ params }, context) {
    return replySpace(context, await context.transaction(tx => restoreSpace(tx, context.actor, params.spaceId)))
  },

  async duplicateSpace({ params }, context) {
    return replySpace(context, await context.transaction(tx => duplicateSpace(tx, context.actor, params.spaceId)))
  },

  async moveSpace({ params, body }, context) {
    const request = { ...body, actor: context.actor, id: params.spaceId }
    return replySpace(context, await context.transaction(tx => moveResource(tx, spaceKind, request)))
  },

  async transferSpace({ params, body }, context) {
    const request = { id: params.spaceId, organization: body.organization }
    return replySpace(context, await transferResource(context, spaceKind, request))
  },

  async deleteCollectionById({ params }, context) {
    await context.transaction(tx => deleteCollection(tx, context.actor, params.collectionId))
    return undefined
  },

  async moveCollection({ params, body }, context) {
    const request = { ...body, actor: context.actor, id: params.collectionId }
    return replyCollection(context, await context.transaction(tx => moveResource(tx, collectionKind, request)))
  },

  async transferCollection({ params, body }, context) {
    const request = { id: params.collectionId, organization: body.organization }
    return replyCollection(context, await transferResource(context, collectionKind, request))
  },
})

function replySpace({ actor, publicUrl }: Context, space: SpaceWithAcl) {
  return presentSpace(space, resolveAccess(actor, space), publicUrl)
}

function replyCollection({ actor, publicUrl }: Context, collection: CollectionWithAcl) {
  return presentCollection(collection, resolveAccess(actor, collection), publicUrl)
}
