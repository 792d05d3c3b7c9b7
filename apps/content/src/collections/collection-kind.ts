import { changedFields } from '../events/changed-fields.rules.ts'
import * as events from './collection-events.ts'
import type { CollectionWithAcl } from '../resources/collection.entity.ts'
import { requireCollectionIn, requireReadCollection } from './collections.policy.ts'
import * as collections from '../resources/collections.repository.ts'
import type { CollectionSettings } from '../resources/collections.repository.ts'
import type { ResourceKind } from '../resources/resource-kind.ts'

/** A request to update the settings of a collection. */
export type CollectionUpdate = { [Key in keyof CollectionSettings]?: CollectionSettings[Key] | undefined }

/** The behaviour of collections as resources. */
export const collectionKind: ResourceKind<CollectionWithAcl, CollectionUpdate> = {
  type: 'collection',
  isContainer: true,
  creatorMayBecomeAdmin: false,
  find: collections.findWithAcl,
  lock: (db, id, actor) => collections.lockWithAcl(db, id, { actor }),
  lockRow: collections.lock,
  requireRead(actor, collection) {
    const { collection: resource, ...access } = requireReadCollection(actor, collection)
    return { resource, ...access }
  },
  requireIn: requireCollectionIn,
  planUpdate(collection, update) {
    const changes = changedFields<CollectionWithAcl, keyof CollectionSettings>(collection, update)
    return {
      fields: Object.keys(changes),
      defaultLevel: changes.defaultLevel,
      write: db => collections.update(db, collection.id, changes),
    }
  },
  publishUpdated: async (tx, _actor, collection) => events.recordCollectionUpdated(tx, collection),
  recordPermissionChange: events.recordCollectionPermissionChange,
  recordMove: events.recordCollectionMoved,
  publishTransferred: events.publishCollectionTransferred,
}
