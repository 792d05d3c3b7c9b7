import type { Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** A change of a member: a `newRole` of null makes them a guest, undefined removes them; `admins` counts those before the change. */
interface MemberChange {
  member: { role: Role | null; isServiceAccount: boolean }
  newRole: Role | null | undefined
  admins: number
}

/** Throws `conflict` when a change would leave an organization without an admin who is a person. */
export function requireRemainingAdmin({ member: { role, isServiceAccount }, newRole, admins }: MemberChange): void {
  if (role === 'admin' && !isServiceAccount && newRole !== 'admin' && admins <= 1)
    throw new Failure('conflict', 'The last admin of an organization can be neither removed nor demoted')
}
