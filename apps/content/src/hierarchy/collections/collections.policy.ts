import type { rights } from '@recto/contracts'
import type { Actor, Role } from '@recto/actor'
import { Failure, type FaultDetail } from '@recto/operation'
import { canManage, canView, requireManage, viewOf, type View } from '../../access/access.policy.ts'
import type { CollectionRow, PlacedCollection } from './collection.entity.ts'

/** A collection as somebody sees it who may. */
export interface SeenCollection {
  collection: PlacedCollection
  role: Role
  view: View
}

/** What the booleans of a collection's `permissions` ask for; the operations that they name, by `rights` of the contract, ask for the same. */
const collectionCan = {
  view: canView,
  admin: canManage,
  create: canManage,
} as const satisfies Record<Exclude<keyof typeof rights.collection, 'viewInviteLinks'>, (role: Role | null) => boolean>

/** A collection that the actor may see; what they may not see, and what is deleted, does not exist for them. */
export function requireCollection(actor: Actor, collection: PlacedCollection | undefined): SeenCollection {
  if (!collection || collection.deletedAt) throw noSuchCollection()
  const view = viewOf(actor, collection)
  if (view.role === null || !collectionCan.view(view.role)) throw noSuchCollection()
  return { collection, role: view.role, view }
}

/** A collection that is in the organization and not deleted. */
export function requireCollectionIn<C extends Pick<CollectionRow, 'organizationId' | 'deletedAt'>>(
  organization: string,
  collection: C | undefined,
): C {
  if (collection?.organizationId !== organization || collection.deletedAt) throw noSuchCollection()
  return collection
}

/** A collection to put something into: one of the organization, whose role allows to create there. */
export function requireParent(
  actor: Actor,
  organization: string,
  collection: PlacedCollection | undefined,
): SeenCollection {
  const details = [{ path: 'body.parent', message: 'is no collection of the organization' }]
  if (collection?.organizationId !== organization || collection.deletedAt) throw noSuchCollection(details)
  const view = viewOf(actor, collection)
  if (view.role === null) throw noSuchCollection(details)
  requireManage(view.role)
  return { collection, role: view.role, view }
}

/** What the caller may do, as replies show it. */
export function collectionPermissions({ role, isOrganizationAdmin }: View) {
  return {
    view: collectionCan.view(role),
    admin: collectionCan.admin(role),
    viewInviteLinks: isOrganizationAdmin,
    create: collectionCan.create(role),
  }
}

function noSuchCollection(details?: FaultDetail[]): Failure {
  return new Failure('not_found', 'There is no such collection', details && { details })
}
