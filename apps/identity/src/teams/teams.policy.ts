import type { Membership } from '@recto/operation'
import { canAdminister, canListPeople } from '../organizations/organizations.policy.ts'
import type { TeamRole } from './team-member.entity.ts'

/** To see a team is to see who is in it: not for guests, unless they own it. */
export function canViewTeam(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canListPeople(membership) || roleInTeam === 'owner'
}

/** Admins of the organization, and owners of the team. */
export function canManageTeamMembers(membership: Membership, roleInTeam: TeamRole | undefined): boolean {
  return canAdminister(membership) || roleInTeam === 'owner'
}
