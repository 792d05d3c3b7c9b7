import { membershipIn } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context'
import type { MemberView } from './members.repository.ts'
import * as members from './members.repository.ts'
import { presentMember } from './present-member'

/** The specification requires the counts, so they are 0 and not left out when content is away: they decide nothing. */
const none = { members: {}, teams: {} }

/** Ids in one call at most, so that it fits into a message of the bus. */
const mostIds = 10_000

/** Counts spaces for a page of members or teams: one call of content, and more only where members are in very many teams. */
export async function countSpaces(
  context: Context,
  request: { organization: string; members?: MemberView[]; teams?: string[] },
): Promise<{ members: Record<string, number>; teams: Record<string, number> }> {
  const { organization, members: counted = [], teams = [] } = request
  if (counted.length + teams.length === 0) return none
  const inTeams = await members.teamsOf(
    context.db,
    organization,
    counted.map(({ userId }) => userId),
  )
  const viewers = counted.map(({ userId, role }) => ({ user: userId, role, teams: inTeams.get(userId) ?? [] }))
  const [first = [], ...more] = portions(viewers)
  try {
    const { countSpaces: count } = context.content
    const as = { organization, viewer: viewerOf(context, organization) }
    const counts = await Promise.all([
      count({ body: { ...as, members: first, teams } }),
      ...more.map(members => count({ body: { ...as, members, teams: [] } })),
    ])
    return { members: Object.assign({}, ...counts.map(({ members }) => members)), teams: counts[0].teams }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.log.warn({ err: error, organization }, 'spaces are shown as 0: content could not count them')
    return none
  }
}

/** Who looks at the counts: what they do not see is not counted. */
function viewerOf(context: Context, organization: string) {
  const { role = null, teams = [] } = membershipIn(context.actor, organization) ?? {}
  return { user: context.actor.userId, role, teams }
}

function portions<Viewer extends { teams: string[] }>(viewers: Viewer[]): Viewer[][] {
  const made: Viewer[][] = []
  let ids = mostIds
  for (const viewer of viewers) {
    ids += viewer.teams.length + 1
    if (ids > mostIds) {
      made.push([])
      ids = viewer.teams.length + 1
    }
    made.at(-1)?.push(viewer)
  }
  return made
}

/** A page of members as replies show them. */
export async function presentMembers(context: Context, organization: string, page: MemberView[]) {
  const { members: spaces } = await countSpaces(context, { organization, members: page })
  return page.map(member => presentMember(member, { spaces: spaces[member.userId] ?? 0, publicUrl: context.publicUrl }))
}
