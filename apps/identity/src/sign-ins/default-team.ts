import type { Db } from '@recto/database'
import { fieldFault } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { presentTeams } from '../teams/present-teams.ts'
import * as teams from '../teams/teams.repository.ts'

/** A provider's team for users who sign in for the first time. */
interface WithDefaultTeam {
  defaultTeam: string | null
}

/** Throws `not_found` when the default team is not one of the organization; locks it against deletion until the provider is saved. */
export async function requireDefaultTeam(
  db: Db,
  organization: string,
  { defaultTeam }: Partial<Record<keyof WithDefaultTeam, string | null | undefined>>,
): Promise<void> {
  if (defaultTeam == null || (await teams.lockAgainstDeletion(db, { organization, team: defaultTeam }))) return
  throw fieldFault('body.defaultTeam', 'is not a team of the organization', 'not_found')
}

/** Reads the default teams of providers, as replies show them; the number of queries does not depend on the number of providers. */
export async function defaultTeamsOf(context: Context, organization: string, providers: WithDefaultTeam[]) {
  const ids = providers.flatMap(({ defaultTeam }) => defaultTeam ?? [])
  const teamsOfProviders = await presentTeams(
    context,
    organization,
    await teams.findByIds(context.db, organization, ids),
  )
  const byId = new Map(teamsOfProviders.map(team => [team.id, team]))
  return ({ defaultTeam }: WithDefaultTeam) => {
    const team = byId.get(defaultTeam ?? '')
    return team && { defaultTeam: team }
  }
}
