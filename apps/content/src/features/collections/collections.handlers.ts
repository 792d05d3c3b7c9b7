import { collections, contentEvents } from '@recto/contracts'
import { feature } from '@recto/operation'
import { requireMember, viewerIn, viewOf, viewOfListed } from '../../access/access.policy.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import { presentSpace } from '../../hierarchy/spaces/present-space.ts'
import * as spaces from '../../hierarchy/spaces/spaces.repository.ts'
import { stamp } from '../../shared/event-metadata.ts'
import { changeCollection } from '../../hierarchy/settings/update-collection.ts'
import { requireCollection, type SeenCollection } from '../../hierarchy/collections/collections.policy.ts'
import * as repository from '../../hierarchy/collections/collections.repository.ts'
import { newCollection } from '../../hierarchy/collections/collections.rules.ts'
import { placeIn } from '../../hierarchy/placement/placement.ts'
import { presentCollection } from '../../hierarchy/collections/present-collection.ts'

export const collectionFeature = feature<BaseContext>()(collections, {
  async createCollection({ params: { organizationId }, body: { parent, title } }, context) {
    const { actor } = context
    requireMember(actor, organizationId)
    const { collection, view } = await context.transaction(async tx => {
      const { view, ...place } = await placeIn(tx, actor, { organization: organizationId, parent })
      const collection = newCollection({ title, ...place, organizationId, createdBy: actor.userId })
      await repository.insert(tx, collection)
      await tx.publish(contentEvents.collectionCreated, {
        ...stamp(actor, collection),
        collection: collection.id,
        parent: collection.parent,
      })
      return { collection, view }
    })
    return presentCollection(collection, view, context.publicUrl)
  },

  async listCollectionsInOrganizationById({ params, query }, context) {
    const { actor } = context
    const viewer = { ...viewerIn(actor, params.organizationId), nested: query.nested === 'true' }
    const page = await repository.listSeen(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(collection =>
        presentCollection(collection, viewOfListed(actor, collection), context.publicUrl),
      ),
    }
  },

  async getCollectionById({ params }, context) {
    const { collection, view } = await seenCollection(context, params.collectionId)
    return presentCollection(collection, view, context.publicUrl)
  },

  async updateCollectionById({ params, body }, context) {
    const collection = await changeCollection(context, params.collectionId, body)
    return presentCollection(collection, viewOf(context.actor, collection), context.publicUrl)
  },

  async listSpacesInCollectionById({ params, query }, context) {
    const { actor } = context
    const { collection, role } = await seenCollection(context, params.collectionId)
    const viewer = { ...viewerIn(actor, collection.organizationId), collection: collection.id, roleThere: role }
    const page = await spaces.listSeenIn(context.db, viewer, { ...query, cursorKey: context.cursorKey() })
    return {
      ...page,
      items: page.items.map(space => presentSpace(space, viewOfListed(actor, space), context.publicUrl)),
    }
  },
})

async function seenCollection(context: Context, id: string): Promise<SeenCollection> {
  const { actor } = context
  return requireCollection(actor, await repository.findFor(context.db, id, actor))
}
