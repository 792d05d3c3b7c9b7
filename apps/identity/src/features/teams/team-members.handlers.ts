import { teamMembers } from '@recto/contracts'
import { feature } from '@recto/operation'
import type { BaseContext } from '../../shared/context'
import { presentMembers } from '../../members/present-members'
import { canSeePerson, requireIn } from '../../organizations/organizations.policy'
import * as repository from '../../members/team-members.repository'
import * as teams from '../../members/teams.repository'
import { requireTeamView } from '../../members/require-team'

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
