import type { Db } from '@recto/database'
import { membershipIn, type Actor } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { countSpaces } from './count-spaces.ts'
import { findOwnedTeams } from './team-members.repository.ts'
import { teamPermissions } from './teams.policy.ts'
import type { TeamView } from './teams.repository.ts'

/** A page of teams as the caller sees them; two more queries, whatever the size of the page. */
export async function presentTeams(context: Context, organization: string, page: TeamView[]) {
  const described = await describeTeams(context.db, { actor: context.actor, organization }, page)
  const { teams: spaces } = await countSpaces(context, { organization, teams: page.map(({ id }) => id) })
  return described.map(team => ({ ...team, spaces: spaces[team.id] ?? 0 }))
}

/** Teams as an actor sees them, without the number of spaces; throws `not_found` when the actor is not in the organization. */
export async function describeTeams(
  db: Db,
  { actor, organization }: { actor: Actor; organization: string },
  teams: TeamView[],
) {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  const ids = teams.map(({ id }) => id)
  const owned = await findOwnedTeams(db, actor.userId, ids)
  return teams.map(team => ({
    object: 'team' as const,
    id: team.id,
    title: team.title,
    members: team.members,
    createdAt: team.createdAt.toISOString(),
    permissions: teamPermissions(membership, owned.has(team.id) ? 'owner' : undefined),
  }))
}

/** One team as the caller sees it. */
export async function presentTeam(context: Context, team: TeamView) {
  const [presented] = await presentTeams(context, team.organizationId, [team])
  return presented as NonNullable<typeof presented>
}
