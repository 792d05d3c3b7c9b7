import { presentUser } from '../users/present-user'
import type { MemberView } from './members.repository.ts'

/** A member as replies show it. */
export function presentMember(member: MemberView, { spaces, publicUrl }: { spaces: number; publicUrl: string }) {
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
