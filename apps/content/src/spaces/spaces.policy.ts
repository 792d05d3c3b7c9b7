import type { rights } from '@recto/contracts-shared'
import { atLeast, roleForbids, type Actor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canManage, canView, type EffectiveAccess, resolveAccess } from '../access/access.policy.ts'
import type { SpaceRow, SpaceWithAcl } from '../resources/space.entity.ts'

/** A space that the caller can read, with their access to it. */
export interface ReadableSpace {
  space: SpaceWithAcl
  role: Role
  access: EffectiveAccess
}

type Can = (role: Role | null) => boolean

/** The level that each boolean of a space's `permissions` requires; the operations that `rights` of the contract names for them require the same. */
export const spaceCan = {
  view: canView,
  access: canView,
  admin: canManage,
  edit: role => atLeast(role, 'edit'),
  triggerGitSync: canManage,
  comment: role => atLeast(role, 'comment'),
  merge: role => atLeast(role, 'review'),
  review: role => atLeast(role, 'review'),
  installIntegration: () => false,
} as const satisfies Record<Exclude<keyof typeof rights.space, 'viewInviteLinks'>, Can>

/** The actor's access to a space; throws `not_found` when it is missing, or they may not read it. A deleted space is readable for those who could restore it. */
export function requireRead(actor: Actor, space: SpaceWithAcl | undefined): ReadableSpace {
  const access = space && accessTo(space, actor)
  if (!space || !access || access.role === null || !spaceCan.access(access.role)) throw noSuchSpace()
  if (space.deletedAt && !canManage(access.role)) throw noSuchSpace()
  return { space, role: access.role, access }
}

/** The access of a visitor to a space that their site shows. */
export const visitorAccess: EffectiveAccess & { role: Role } = {
  role: 'read',
  parentRole: null,
  isOrganizationAdmin: false,
}

/** A visitor of a site reads the spaces that it shows to them, and nothing else. */
function accessTo(space: SpaceWithAcl, actor: Actor): EffectiveAccess {
  if (!actor.visitor) return resolveAccess(actor, space)
  const { organization, spaces } = actor.visitor
  const isShown = organization === space.organizationId && spaces.includes(space.id)
  return isShown ? visitorAccess : { ...visitorAccess, role: null }
}

/** A space of this organization; throws `not_found` when it is of another one, missing or deleted. */
export function requireSpaceIn<S extends Pick<SpaceRow, 'organizationId' | 'deletedAt'>>(
  organization: string,
  space: S | undefined,
): S {
  if (space?.organizationId !== organization || space.deletedAt) throw noSuchSpace()
  return space
}

/** Throws `forbidden` when the role on a readable space does not allow something, and `conflict` when the space is deleted. */
export function requireWrite({ space, role }: { space: SpaceRow; role: Role }, can: Can): void {
  if (!can(role)) throw roleForbids(role)
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
}

/** The `permissions` of a space in replies. A deleted space, which cannot be written to, leaves only reading and (`admin`) restoring. */
export function spacePermissions(
  { role: held, isOrganizationAdmin }: Pick<EffectiveAccess, 'role' | 'isOrganizationAdmin'>,
  { deletedAt }: Pick<SpaceRow, 'deletedAt'>,
) {
  const role = deletedAt && canView(held) ? 'read' : held
  return {
    view: spaceCan.view(role),
    access: spaceCan.access(role),
    admin: spaceCan.admin(held),
    viewInviteLinks: isOrganizationAdmin,
    edit: spaceCan.edit(role),
    triggerGitSync: spaceCan.triggerGitSync(role),
    comment: spaceCan.comment(role),
    merge: spaceCan.merge(role),
    review: spaceCan.review(role),
    installIntegration: spaceCan.installIntegration(),
  }
}

function noSuchSpace(): Failure {
  return new Failure('not_found', 'There is no such space')
}
