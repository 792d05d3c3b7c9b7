import { atLeast, Failure, type Actor, type Role } from '@recto/operation'
import { canAdminister, canManage, canView, notAllowed, viewOf, type View } from '../access/access.policy.ts'
import type { PlacedSpace, SpaceRow } from './space.entity.ts'

/** A space as somebody sees it who may. */
export interface SeenSpace {
  space: PlacedSpace
  role: Role
  view: View
}

export const canEditSpace = (role: Role | null): boolean => atLeast(role, 'edit')
export const canSyncGit = canManage

/** The caller's role on a space they may see; what they may not see does not exist for them. */
export function requireView(actor: Actor, space: PlacedSpace | undefined): SeenSpace {
  const view = space && viewOf(actor, space)
  if (!space || !view || view.role === null || !canView(view.role)) throw noSuchSpace()
  // Deleted spaces answer only those who could restore them.
  if (space.deletedAt && !canManage(view.role)) throw noSuchSpace()
  return { space, role: view.role, view }
}

/** A space that is in the organization and not deleted. */
export function requireIn<S extends Pick<SpaceRow, 'organizationId' | 'deletedAt'>>(organization: string, space: S | undefined): S {
  if (space?.organizationId !== organization || space.deletedAt) throw noSuchSpace()
  return space
}

/** Refuses what a role may not do on a space that its holder sees, and any write on a deleted space. */
export function requireOn({ space, role }: { space: SpaceRow; role: Role }, can: (role: Role | null) => boolean): void {
  if (!can(role)) throw notAllowed(role)
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
}

/** What the caller may do, as replies show it: the same predicates that guard the operations, which write nothing to what is deleted. */
export function spacePermissions({ role: held, isOrganizationAdmin }: Pick<View, 'role' | 'isOrganizationAdmin'>, space: Pick<SpaceRow, 'editMode' | 'deletedAt'>) {
  const role = space.deletedAt && canView(held) ? 'read' : held
  return {
    view: canView(role),
    access: canView(role),
    admin: canAdminister(held),
    viewInviteLinks: isOrganizationAdmin,
    edit: canEditSpace(role) && space.editMode === 'live',
    triggerGitSync: canSyncGit(role),
    comment: atLeast(role, 'comment'),
    merge: atLeast(role, 'review'),
    review: atLeast(role, 'review'),
    installIntegration: false,
  }
}

function noSuchSpace(): Failure {
  return new Failure('not_found', 'There is no such space')
}
