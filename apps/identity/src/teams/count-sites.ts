import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { type CountedMember, splitIntoBatches, viewerIn } from './count-spaces.ts'
import { findTeamIds } from './team-members.repository.ts'

/** Counts the sites of a page of members that the caller sees, by user id. They are 0 while publishing is unavailable: no decision depends on them. */
export async function countSites(
  context: Context,
  organization: string,
  members: CountedMember[],
): Promise<Record<string, number>> {
  if (members.length === 0) return {}
  const teamIds = await findTeamIds(
    context.db,
    organization,
    members.map(({ userId }) => userId),
  )
  const counted = members.map(({ userId, role }) => ({ user: userId, role, teams: teamIds.get(userId) ?? [] }))
  const common = { organization, viewer: viewerIn(context, organization) }
  try {
    const counts = await Promise.all(
      splitIntoBatches(counted).map(batch => context.publishing.countSites({ body: { ...common, members: batch } })),
    )
    return Object.assign({}, ...counts.map(({ members: sites }) => sites)) as Record<string, number>
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.log.warn({ err: error, organization }, 'sites are shown as 0: publishing could not count them')
    return {}
  }
}
