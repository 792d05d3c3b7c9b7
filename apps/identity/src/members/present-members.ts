import type { Context } from '../shared/context.ts'
import { presentUserTo } from '../users/present-user.ts'
import { canSeeUser } from '../users/users.policy.ts'
import { countSites } from '../teams/count-sites.ts'
import { countSpaces } from '../teams/count-spaces.ts'
import type { MemberView } from './members.repository.ts'

/** A page of members as the caller sees them. */
export async function presentMembers(context: Context, organization: string, page: MemberView[]) {
  const [{ members: spaces }, sites] = await Promise.all([
    countSpaces(context, { organization, members: page }),
    countSites(context, organization, page),
  ])
  return page.map(member => ({
    object: 'member' as const,
    id: member.userId,
    user: presentUserTo(context, organization, { ...member, id: member.userId }),
    joinedAt: member.joinedAt.toISOString(),
    ...(canSeeUser(context.actor, member.userId, [organization])
      ? standingOf(member, { spaces: spaces[member.userId] ?? 0, sites: sites[member.userId] ?? 0 })
      : neutralStanding),
  }))
}

function standingOf({ role, disabled, sso, teams, lastSeenAt }: MemberView, counts: { spaces: number; sites: number }) {
  return { role, disabled, sso, teams, ...counts, ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }) }
}

/** Required fields, of members whom the caller, a guest, meets in a team or as an author. */
const neutralStanding = { role: null, disabled: false, sso: false, teams: 0, spaces: 0, sites: 0 }
