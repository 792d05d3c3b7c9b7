import { membershipIn, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { findTeamIds } from './team-members.repository.ts'

/** Numbers of spaces by user id and by team id. */
export interface SpaceCounts {
  members: Record<string, number>
  teams: Record<string, number>
}

/** A member or guest whose spaces, or sites, are counted. */
export interface CountedMember {
  userId: string
  role: Role | null
}

/** The API requires the counts, so they are 0 while content is unavailable: no decision depends on them. */
const none: SpaceCounts = { members: {}, teams: {} }

/** Ids per call, so that it fits into a message of the bus. */
const maxIdsPerCall = 10_000

/** Counts the spaces of a page of members or teams that the caller can see; one call of content unless members are in very many teams. */
export async function countSpaces(
  context: Context,
  request: { organization: string; members?: CountedMember[]; teams?: string[] },
): Promise<SpaceCounts> {
  const { organization, members = [], teams = [] } = request
  if (members.length + teams.length === 0) return none
  const userIds = members.map(({ userId }) => userId)
  const teamIds = await findTeamIds(context.db, organization, userIds)
  const counted = members.map(({ userId, role }) => ({ user: userId, role, teams: teamIds.get(userId) ?? [] }))
  const [first = [], ...more] = splitIntoBatches(counted)
  try {
    const { countSpaces: count } = context.content
    const common = { organization, viewer: viewerIn(context, organization) }
    const counts = await Promise.all([
      count({ body: { ...common, members: first, teams } }),
      ...more.map(batch => count({ body: { ...common, members: batch, teams: [] } })),
    ])
    return { members: Object.assign({}, ...counts.map(({ members }) => members)), teams: counts[0].teams }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.log.warn({ err: error, organization }, 'spaces are shown as 0: content could not count them')
    return none
  }
}

/** The caller; what they cannot see is not counted. */
export function viewerIn(context: Context, organization: string) {
  const { userId: user, limitedTo } = context.actor
  const { role = null, teams = [] } = membershipIn(context.actor, organization) ?? {}
  return { user, role, teams, limitedTo }
}

/** Splits members into batches, each of which fits into a message of the bus. */
export function splitIntoBatches<Member extends { teams: string[] }>(members: Member[]): Member[][] {
  const batches: Member[][] = []
  let ids = maxIdsPerCall
  for (const member of members) {
    ids += member.teams.length + 1
    if (ids > maxIdsPerCall) {
      batches.push([])
      ids = member.teams.length + 1
    }
    batches.at(-1)?.push(member)
  }
  return batches
}
