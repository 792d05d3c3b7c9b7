import { teamMembers } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../../shared/context.ts'
import { presentMembers } from '../../members/present-members.ts'
import { canSeePerson, requireIn } from '../../organizations/organizations.policy.ts'
import * as repository from '../../members/team-members.repository.ts'
import * as teams from '../../members/teams.repository.ts'
import { requireTeamView } from '../../members/require-team.ts'

export const teamMemberFeature = feature<BaseContext>()(teamMembers, {
  async listTeamMembersInOrganizationById({ params, query }, context) {
    const [organization, team] = [params.organizationId, params.teamId]
    await requireTeamView(context, { organization, team })
    await teams.get(context.db, { organization, team })
    const page = await repository.listOf(
      context.db,
      { organization, team },
      { ...query, cursorKey: context.cursorKey() },
    )
    const shown = await presentMembers(context, organization, page.items)
    const [actor, membership] = [context.actor, requireIn(context.actor, organization)]
    const items = page.items.map(({ userId, teamRole }, index) => ({
      organization: shown[index] as (typeof shown)[number],
      team: { role: teamRole },
      permissions: { view: canSeePerson(actor, membership, userId) },
    }))
    return { ...page, items }
  },
})
