import type { rights } from '@recto/contracts-shared'
import type { Actor, Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canManage, canView, type EffectiveAccess, resolveAccess } from '../access/access.policy.ts'
import type { CollectionRow, CollectionWithAcl } from '../resources/collection.entity.ts'

/** A collection that the caller can read, with their access to it. */
export interface ReadableCollection {
  collection: CollectionWithAcl
  role: Role
  access: EffectiveAccess
}

/** The role that each of a collection's `permissions` requires; operations with that right in the contract's `rights` require the same. */
const collectionCan = {
  view: canView,
  admin: canManage,
  create: canManage,
} as const satisfies Record<Exclude<keyof typeof rights.collection, 'viewInviteLinks'>, (role: Role | null) => boolean>

/** Resolves the actor's access to a collection; throws `not_found` when it is missing or deleted, or the actor may not read it. */
export function requireReadCollection(actor: Actor, collection: CollectionWithAcl | undefined): ReadableCollection {
  if (!collection || collection.deletedAt) throw noSuchCollection()
  const access = resolveAccess(actor, collection)
  if (access.role === null || !collectionCan.view(access.role)) throw noSuchCollection()
  return { collection, role: access.role, access }
}

/** Returns a collection of this organization; throws `not_found` when it is of another organization, missing or deleted. */
export function requireCollectionIn<C extends Pick<CollectionRow, 'organizationId' | 'deletedAt'>>(
  organization: string,
  collection: C | undefined,
): C {
  if (collection?.organizationId !== organization || collection.deletedAt) throw noSuchCollection()
  return collection
}

/** The `permissions` of a collection in replies. */
export function collectionPermissions({ role, isOrganizationAdmin }: EffectiveAccess) {
  return {
    view: collectionCan.view(role),
    admin: collectionCan.admin(role),
    viewInviteLinks: isOrganizationAdmin,
    create: collectionCan.create(role),
  }
}

function noSuchCollection(): Failure {
  return new Failure('not_found', 'There is no such collection')
}
