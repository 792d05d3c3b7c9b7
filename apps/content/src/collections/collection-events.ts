import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { eventMetadata } from '../events/event-metadata.ts'

/** The fields of a collection in its events. */
interface CollectionOfEvent {
  id: string
  organizationId: string
}

const metadata = (actor: Actor, collection: CollectionOfEvent) => ({
  ...eventMetadata(actor, collection),
  collection: collection.id,
})

/** Publishes that a collection was created. */
export function publishCollectionCreated(
  tx: Transaction,
  actor: Actor,
  collection: CollectionOfEvent & { parent: string | null },
): Promise<void> {
  return tx.publish(contentEvents.collectionCreated, { ...metadata(actor, collection), parent: collection.parent })
}

/** Publishes which settings of a collection changed. */
export function publishCollectionUpdated(
  tx: Transaction,
  actor: Actor,
  { fields, ...collection }: CollectionOfEvent & { fields: string[] },
): Promise<void> {
  return tx.publish(contentEvents.collectionUpdated, { ...metadata(actor, collection), fields })
}

/** Publishes that permissions on a collection changed. */
export function publishCollectionPermissionChanged(
  tx: Transaction,
  actor: Actor,
  change: CollectionOfEvent & { users: string[]; teams: string[]; defaultLevel: boolean },
): Promise<void> {
  const { users, teams, defaultLevel } = change
  return tx.publish(contentEvents.collectionPermissionChanged, {
    ...metadata(actor, change),
    users,
    teams,
    defaultLevel,
  })
}

/** Publishes the parent that a collection was moved to. */
export function publishCollectionMoved(
  tx: Transaction,
  actor: Actor,
  { parent, ...collection }: CollectionOfEvent & { parent: string | null },
): Promise<void> {
  return tx.publish(lifecycleEvents.collectionMoved, { ...metadata(actor, collection), parent })
}

/** Publishes that a collection was transferred with the spaces in it; `organizationId` is the new organization. */
export function publishCollectionTransferred(
  tx: Transaction,
  actor: Actor,
  { from, spaces, ...collection }: CollectionOfEvent & { from: string; spaces: string[] },
): Promise<void> {
  return tx.publish(lifecycleEvents.collectionTransferred, { ...metadata(actor, collection), from, spaces })
}

/** Publishes that a collection was deleted with the spaces and collections in it. */
export function publishCollectionDeleted(
  tx: Transaction,
  actor: Actor,
  { spaces, collections, ...collection }: CollectionOfEvent & { spaces: string[]; collections: string[] },
): Promise<void> {
  return tx.publish(lifecycleEvents.collectionDeleted, { ...metadata(actor, collection), spaces, collections })
}
