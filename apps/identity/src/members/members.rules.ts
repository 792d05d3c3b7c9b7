import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** A change of a member: a `newRole` of null makes them a guest, undefined removes them; `admins` counts those before the change. */
interface MemberChange {
  member: { role: Role | null; isServiceAccount: boolean; disabled: boolean }
  newRole: Role | null | undefined
  admins: number
}

/** Throws `conflict` when a change would leave an organization without an admin who is a person and not disabled. */
export function requireRemainingAdmin({ member, newRole, admins }: MemberChange): void {
  const isAdmin = member.role === 'admin' && !member.isServiceAccount && !member.disabled
  if (isAdmin && newRole !== 'admin' && admins <= 1)
    throw new Failure('conflict', 'The last admin of an organization can be neither removed nor demoted')
}
