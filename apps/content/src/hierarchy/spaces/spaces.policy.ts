import type { rights } from '@recto/contracts'
import { atLeast, type Actor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import { canManage, canView, notAllowed, viewOf, type View } from '../../access/access.policy.ts'
import type { PlacedSpace, SpaceRow } from './space.entity.ts'

/** A space as somebody sees it who may. */
export interface SeenSpace {
  space: PlacedSpace
  role: Role
  view: View
}

type Can = (role: Role | null) => boolean

/** What the booleans of a space's `permissions` ask for; the operations that they name, by `rights` of the contract, ask for the same. */
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

/** The caller's role on a space they may see; what they may not see does not exist for them. */
export function requireView(actor: Actor, space: PlacedSpace | undefined): SeenSpace {
  const view = space && viewOf(actor, space)
  if (!space || !view || view.role === null || !spaceCan.access(view.role)) throw noSuchSpace()
  // Deleted spaces answer only those who could restore them.
  if (space.deletedAt && !canManage(view.role)) throw noSuchSpace()
  return { space, role: view.role, view }
}

/** A space that is in the organization and not deleted. */
export function requireIn<S extends Pick<SpaceRow, 'organizationId' | 'deletedAt'>>(
  organization: string,
  space: S | undefined,
): S {
  if (space?.organizationId !== organization || space.deletedAt) throw noSuchSpace()
  return space
}

/** Refuses what a role may not do on a space that its holder sees, and any write on a deleted space. */
export function requireOn({ space, role }: { space: SpaceRow; role: Role }, can: Can): void {
  if (!can(role)) throw notAllowed(role)
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
}

/** What the caller may do, as replies show it. Of a deleted space, which nothing is written to, what is left is to see and to restore it. */
export function spacePermissions(
  { role: held, isOrganizationAdmin }: Pick<View, 'role' | 'isOrganizationAdmin'>,
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
