import { teamMembers } from '@recto/contracts-identity'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { presentMembers } from '../members/present-members.ts'
import { canSeeMember, requireMembership } from '../organizations/organizations.policy.ts'
import { listTeamMembers } from '../members/members-of-teams.repository.ts'
import * as teams from './teams.repository.ts'
import { requireReadableTeam } from './require-team.ts'

export const teamMemberFeature = feature<BaseContext>()(teamMembers, {
  async listTeamMembersInOrganizationById({ params, query }, context) {
    const organization = params.organizationId
    const team = params.teamId
    await requireReadableTeam(context, { organization, team })
    await teams.get(context.db, { organization, team })
    const page = await listTeamMembers(context.db, { organization, team }, { ...query, cursorKey: context.cursorKey() })
    const presented = await presentMembers(context, organization, page.items)
    const actor = context.actor
    const membership = requireMembership(context.actor, organization)
    const items = page.items.map(({ userId, teamRole }, index) => ({
      organization: presented[index] as (typeof presented)[number],
      team: { role: teamRole },
      permissions: { view: canSeeMember(actor, membership, userId) },
    }))
    return { ...page, items }
  },
})
