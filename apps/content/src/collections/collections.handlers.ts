import { requireMember } from '@recto/actor'
import { collections } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { accessFromList, resolveAccess, viewerIn } from '../access/access.policy.ts'
import { recordCollectionCreated } from './collection-events.ts'
import * as repository from '../resources/collections.repository.ts'
import { newCollection } from './collections.rules.ts'
import { presentCollection } from './present-collection.ts'
import { readableCollection } from './readable-collection.ts'
import { collectionKind } from './collection-kind.ts'
import { lockEndPlacement } from '../resources/placement.ts'
import { updateResource } from '../resources/update-resource.ts'
import { presentSpace } from '../spaces/present-space.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext } from '../shared/context.ts'

export const collectionFeature = feature<BaseContext>()(collections, {
  async createCollection({ params: { organizationId }, body: { parent, title } }, context) {
    const { actor } = context
    requireMember(actor, organizationId)
    const { collection, access } = await context.transaction(async tx => {
      const { access, ...place } = await lockEndPlacement(tx, actor, { organization: organizationId, parent })
      const collection = newCollection({ title, ...place, organizationId, createdBy: actor.userId })
      await repository.insert(tx, collection)
      recordCollectionCreated(tx, collection)
      return { collection, access }
    })
    return presentCollection(collection, access, context.publicUrl)
  },

  async listCollectionsInOrganizationById({ params, query }, context) {
    const { actor } = context
    const viewer = { ...viewerIn(actor, params.organizationId), nested: query.nested === 'true' }
    const page = await repository.listReadable(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(collection =>
        presentCollection(collection, accessFromList(actor, collection), context.publicUrl),
      ),
    }
  },

  async getCollectionById({ params }, context) {
    const { collection, access } = await readableCollection(context, params.collectionId)
    return presentCollection(collection, access, context.publicUrl)
  },

  async updateCollectionById({ params, body }, context) {
    const collection = await updateResource(context, collectionKind, { id: params.collectionId, update: body })
    return presentCollection(collection, resolveAccess(context.actor, collection), context.publicUrl)
  },

  async listSpacesInCollectionById({ params, query }, context) {
    const { actor } = context
    const { collection, role } = await readableCollection(context, params.collectionId)
    const viewer = { ...viewerIn(actor, collection.organizationId), collection: collection.id, roleThere: role }
    const page = await spaces.listReadableIn(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(space => presentSpace(space, accessFromList(actor, space), context.publicUrl)),
    }
  },
})
