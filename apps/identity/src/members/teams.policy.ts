import type { rights } from '@recto/contracts'
import type { Membership } from '@recto/actor'
import { canAdminister, canListPeople } from '../organizations/organizations.policy'
import type { TeamRole } from './team-member.entity'

/** To see a team is to see who is in it: not for guests, unless they own it. */
export function canViewTeam(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canListPeople(membership) || roleInTeam === 'owner'
}

/** Admins of the organization, and owners of the team. */
export function canManageTeamMembers(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canAdminister(membership) || roleInTeam === 'owner'
}

/** What the booleans of a team's `permissions` ask for; the operations that they name, by `rights` of the contract, ask for the same. */
export const teamCan = {
  view: canViewTeam,
  admin: canAdminister,
} as const satisfies Record<
  keyof typeof rights.team,
  (membership: Membership, roleInTeam: TeamRole | undefined) => boolean
>

/** What the caller may do, as replies show it. */
export function teamPermissions(membership: Membership, roleInTeam: TeamRole | undefined) {
  return { view: teamCan.view(membership, roleInTeam), admin: teamCan.admin(membership) }
}
