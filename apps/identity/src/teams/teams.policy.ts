import type { rights } from '@recto/contracts-shared'
import type { Membership } from '@recto/actor'
import { canAdminister, canListMembers } from '../organizations/organizations.policy.ts'
import type { TeamRole } from './team-member.entity.ts'

/** A team shows its members, so guests see only the teams they own. */
export function canViewTeam(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canListMembers(membership) || roleInTeam === 'owner'
}

/** Admins of the organization and owners of the team manage its members. */
export function canManageTeamMembers(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canAdminister(membership) || roleInTeam === 'owner'
}

/** The check behind each boolean of a team's `permissions`, and behind the operations that `rights` of the contract maps to it. */
export const teamCan = {
  view: canViewTeam,
  admin: canAdminister,
} as const satisfies Record<
  keyof typeof rights.team,
  (membership: Membership, roleInTeam: TeamRole | undefined) => boolean
>

/** The `permissions` of a team in replies. */
export function teamPermissions(membership: Membership, roleInTeam: TeamRole | undefined) {
  return { view: teamCan.view(membership, roleInTeam), admin: teamCan.admin(membership) }
}
