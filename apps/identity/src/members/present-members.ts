import type { Context } from '../shared/context.ts'
import { presentUser } from '../users/present-user.ts'
import { countSpaces } from './count-spaces.ts'
import type { MemberView } from './members.repository.ts'

/** A page of members as replies show them. */
export async function presentMembers(context: Context, organization: string, page: MemberView[]) {
  const { members: spaces } = await countSpaces(context, { organization, members: page })
  return page.map(member => presentMember(member, { spaces: spaces[member.userId] ?? 0, publicUrl: context.publicUrl }))
}

function presentMember(member: MemberView, { spaces, publicUrl }: { spaces: number; publicUrl: string }) {
  const { userId, displayName, email, photoUrl } = member
  return {
    object: 'member' as const,
    id: userId,
    role: member.role,
    user: presentUser({ id: userId, displayName, email, photoUrl }, publicUrl),
    disabled: member.disabled,
    joinedAt: member.joinedAt.toISOString(),
    ...(member.lastSeenAt && { lastSeenAt: member.lastSeenAt.toISOString() }),
    sso: member.sso,
    spaces,
    teams: member.teams,
  }
}
