import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { Actor } from '@recto/actor'
import { eventMetadata } from '../events/event-metadata.ts'
import type { PermissionChange } from '../resources/resource-kind.ts'

/** The fields of a space that its events have. */
interface SpaceOfEvent {
  id: string
  organizationId: string
}

const metadata = (actor: Actor, space: SpaceOfEvent) => ({ ...eventMetadata(actor, space), space: space.id })

/** A space as the record names it. */
const subject = ({ id: space, organizationId: organization }: SpaceOfEvent) => ({ organization, space })

/** Records that a space was created, also by duplicating another. */
export function recordSpaceCreated(tx: Transaction, space: SpaceOfEvent & { parent: string | null }): void {
  tx.record(recorded('space.created', { ...subject(space), details: { parent: space.parent } }))
}

/** Publishes which settings of a space changed. */
export function publishSpaceUpdated(
  tx: Transaction,
  actor: Actor,
  { fields, ...space }: SpaceOfEvent & { fields: string[] },
): Promise<void> {
  tx.record(recorded('space.updated', { ...subject(space), details: { fields } }))
  return tx.publish(contentEvents.spaceUpdated, { ...metadata(actor, space), fields })
}

/** Records that permissions on a space changed. */
export function recordSpacePermissionChange(
  tx: Transaction,
  { users, teams, defaultLevel, ...space }: SpaceOfEvent & PermissionChange,
): void {
  tx.record(recorded('space.permissions.updated', { ...subject(space), details: { users, teams, defaultLevel } }))
}

/** Records the parent that a space was moved to. */
export function recordSpaceMoved(
  tx: Transaction,
  { parent, ...space }: SpaceOfEvent & { parent: string | null },
): void {
  tx.record(recorded('space.moved', { ...subject(space), details: { parent } }))
}

/** Publishes that a space was transferred; `organizationId` is the new organization. */
export function publishSpaceTransferred(
  tx: Transaction,
  actor: Actor,
  { from, ...space }: SpaceOfEvent & { from: string },
): Promise<void> {
  const { id, organizationId: to } = space
  tx.record(recorded('space.transferred', { organization: from, space: id, details: { to } }))
  tx.record(recorded('space.transferred', { organization: to, space: id, details: { from } }))
  return tx.publish(lifecycleEvents.spaceTransferred, { ...metadata(actor, space), from })
}

/** Publishes that a space was deleted. */
export function publishSpaceDeleted(tx: Transaction, actor: Actor, space: SpaceOfEvent): Promise<void> {
  tx.record(recorded('space.deleted', subject(space)))
  return tx.publish(lifecycleEvents.spaceDeleted, metadata(actor, space))
}

/** Publishes that a space was restored. */
export function publishSpaceRestored(
  tx: Transaction,
  actor: Actor,
  space: SpaceOfEvent & { parent: string | null },
): Promise<void> {
  tx.record(recorded('space.restored', { ...subject(space), details: { parent: space.parent } }))
  return tx.publish(lifecycleEvents.spaceRestored, metadata(actor, space))
}

/** Publishes that a space was purged; no user causes it. */
export function publishSpacePurged(tx: Transaction, { id, organizationId }: SpaceOfEvent, at: Date): Promise<void> {
  tx.record(recorded('space.purged', { organization: organizationId, space: id }))
  return tx.publish(lifecycleEvents.spacePurged, { organization: organizationId, space: id, at: at.toISOString() })
}

/** Publishes that the main content of a space is another revision; `from` is null for a new space. */
export function publishMainContentChanged(
  tx: Transaction,
  space: SpaceOfEvent,
  { from, to }: { from: string | null; to: string },
): Promise<void> {
  tx.record(recorded('space.content.updated', { ...subject(space), revision: { before: from, after: to } }))
  return tx.publish(contentEvents.mainContentChanged, { space: space.id, from, to })
}
