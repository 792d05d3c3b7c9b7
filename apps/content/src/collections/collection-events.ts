import { lifecycleEvents } from '@recto/contracts-content-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { eventMetadata } from '../events/event-metadata.ts'
import type { PermissionChange } from '../resources/resource-kind.ts'

/** The fields of a collection in its events. */
interface CollectionOfEvent {
  id: string
  organizationId: string
}

const metadata = (actor: Actor, collection: CollectionOfEvent) => ({
  ...eventMetadata(actor, collection),
  collection: collection.id,
})

/** A collection as the record names it. */
const subject = ({ id: collection, organizationId: organization }: CollectionOfEvent) => ({ organization, collection })

/** Records that a collection was created. */
export function recordCollectionCreated(
  tx: Transaction,
  collection: CollectionOfEvent & { parent: string | null },
): void {
  tx.record(recorded('collection.created', { ...subject(collection), details: { parent: collection.parent } }))
}

/** Records which settings of a collection changed. */
export function recordCollectionUpdated(
  tx: Transaction,
  { fields, ...collection }: CollectionOfEvent & { fields: string[] },
): void {
  tx.record(recorded('collection.updated', { ...subject(collection), details: { fields } }))
}

/** Records that permissions on a collection changed. */
export function recordCollectionPermissionChange(
  tx: Transaction,
  { users, teams, defaultLevel, ...collection }: CollectionOfEvent & PermissionChange,
): void {
  const details = { users, teams, defaultLevel }
  tx.record(recorded('collection.permissions.updated', { ...subject(collection), details }))
}

/** Records the parent that a collection was moved to. */
export function recordCollectionMoved(
  tx: Transaction,
  { parent, ...collection }: CollectionOfEvent & { parent: string | null },
): void {
  tx.record(recorded('collection.moved', { ...subject(collection), details: { parent } }))
}

/** Publishes that a collection was transferred with the spaces in it; `organizationId` is the new organization. */
export function publishCollectionTransferred(
  tx: Transaction,
  actor: Actor,
  { from, spaces, ...collection }: CollectionOfEvent & { from: string; spaces: string[] },
): Promise<void> {
  const { id, organizationId: to } = collection
  tx.record(recorded('collection.transferred', { organization: from, collection: id, details: { to, spaces } }))
  tx.record(recorded('collection.transferred', { organization: to, collection: id, details: { from, spaces } }))
  return tx.publish(lifecycleEvents.collectionTransferred, { ...metadata(actor, collection), from, spaces })
}

/** Publishes that a collection was deleted with the spaces and collections in it. */
export function publishCollectionDeleted(
  tx: Transaction,
  actor: Actor,
  { spaces, collections, ...collection }: CollectionOfEvent & { spaces: string[]; collections: string[] },
): Promise<void> {
  tx.record(recorded('collection.deleted', { ...subject(collection), details: { spaces, collections } }))
  return tx.publish(lifecycleEvents.collectionDeleted, { ...metadata(actor, collection), spaces, collections })
}
