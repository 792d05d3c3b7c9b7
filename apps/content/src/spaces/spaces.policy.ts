import { atLeast, Failure, membershipIn, type Actor, type Role } from '@recto/operation'
import { effectiveRole, type Level } from './access.policy.ts'
import type { SpaceRow } from './space.entity.ts'

/** The caller's role on a space; `null` is no access. */
export function roleOn(actor: Actor, space: Pick<SpaceRow, 'organizationId' | 'defaultLevel'>): Role | null {
  const level: Level = { defaultLevel: space.defaultLevel as Level['defaultLevel'], users: {}, teams: {} }
  return effectiveRole(actor, space.organizationId, [level])
}

export const canViewSpace = (role: Role | null): boolean => atLeast(role, 'read')
export const canEditSpace = (role: Role | null): boolean => atLeast(role, 'edit')
export const canSyncGit = (role: Role | null): boolean => atLeast(role, 'create')

export function canCreateSpace(actor: Actor, organization: string): boolean {
  return atLeast(membershipIn(actor, organization)?.role, 'create')
}

/** The caller's role on a space they may see; what they may not see does not exist for them. */
export function requireView(actor: Actor, space: SpaceRow | undefined): { space: SpaceRow; role: Role } {
  const role = space ? roleOn(actor, space) : null
  if (!space || role === null || !canViewSpace(role)) throw new Failure('not_found', 'There is no such space')
  // Deleted spaces answer only those who could restore them.
  if (space.deletedAt && !canSyncGit(role)) throw new Failure('not_found', 'There is no such space')
  return { space, role }
}

/** Refuses what a role may not do on a space that its holder sees, and any write on a deleted space. */
export function requireOn({ space, role }: { space: SpaceRow; role: Role }, can: (role: Role | null) => boolean): void {
  if (!can(role)) throw new Failure('forbidden', `The role ${role} does not allow this`)
  if (space.deletedAt) throw new Failure('conflict', 'The space is deleted')
}

/** What the caller may do, as replies show it: the same predicates that guard the operations. */
export function spacePermissions(role: Role | null, space: Pick<SpaceRow, 'editMode'>) {
  return {
    view: canViewSpace(role),
    access: canViewSpace(role),
    admin: atLeast(role, 'admin'),
    viewInviteLinks: false,
    edit: canEditSpace(role) && space.editMode === 'live',
    triggerGitSync: canSyncGit(role),
    comment: atLeast(role, 'comment'),
    merge: atLeast(role, 'review'),
    review: atLeast(role, 'review'),
    installIntegration: false,
  }
}
