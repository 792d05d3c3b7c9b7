import { operations } from '@recto/operation'
import { z } from 'zod'
import { list, Member, page, permissionsOf, TeamMember, teamMemberRights } from '@recto/contracts-shared'

const MemberOfTeam = z
  .object({ organization: Member, team: TeamMember, permissions: permissionsOf(teamMemberRights) })
  .meta({ id: 'MemberOfTeam', description: 'A member of an organization in one of its teams' })

/** Operations that list the members of a team; apart from `teams`, because members show teams too. */
export const teamMembers = operations({
  listTeamMembersInOrganizationById: {
    route: 'GET /orgs/{organizationId}/teams/{teamId}/members',
    summary: 'List the members of a team',
    query: page,
    reply: list(MemberOfTeam),
    errors: ['not_found'],
  },
})
