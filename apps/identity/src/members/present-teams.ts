import type { Db } from '@recto/database'
import { membershipIn, type Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context'
import { countSpaces } from './present-members'
import { ownedBy } from './team-members.repository'
import { teamPermissions } from './teams.policy'
import type { TeamView } from './teams.repository'

/** A page of teams as the caller sees them: two queries more, however many they are. */
export async function presentTeams(context: Context, organization: string, page: TeamView[]) {
  const described = await describeTeams(context.db, { actor: context.actor, organization }, page)
  const { teams: spaces } = await countSpaces(context, { organization, teams: page.map(({ id }) => id) })
  return described.map(team => ({ ...team, spaces: spaces[team.id] ?? 0 }))
}

/** Teams as an actor sees them, without what only content knows. */
export async function describeTeams(
  db: Db,
  { actor, organization }: { actor: Actor; organization: string },
  teams: TeamView[],
) {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  const own = await ownedBy(
    db,
    actor.userId,
    teams.map(({ id }) => id),
  )
  const roleIn = (team: string) => (own.has(team) ? 'owner' : undefined)
  return teams.map(team => ({
    object: 'team' as const,
    id: team.id,
    title: team.title,
    members: team.members,
    createdAt: team.createdAt.toISOString(),
    permissions: teamPermissions(membership, roleIn(team.id)),
  }))
}

/** One team as the caller sees it. */
export async function presentTeam(context: Context, team: TeamView) {
  const [presented] = await presentTeams(context, team.organizationId, [team])
  return presented as NonNullable<typeof presented>
}
