import { z } from 'zod'
import {
  list,
  Member,
  page,
  permissionsOf,
  TeamMember,
  teamMemberRights,
  endpoints,
  onResource,
} from '@recto/contracts-shared'

const MemberOfTeam = z
  .object({ organization: Member, team: TeamMember, permissions: permissionsOf(teamMemberRights) })
  .meta({ id: 'MemberOfTeam', description: 'A member of an organization in one of its teams' })

/** Operations that list the members of a team; apart from `teams`, because members show teams too. */
export const teamMembers = endpoints({
  listTeamMembersInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams/{teamId}/members',
    summary: 'List the members of a team',
    description:
      'The latest to be added come first, each with their role in the team. Guests may list a team that they own.',
    query: page,
    reply: list(MemberOfTeam),
    errors: ['not_found'],
    scope: 'organization:members:read',
    access: onResource('read'),
  },
})
