import type { Role } from '@recto/actor'
import type { Transaction } from '@recto/database'
import * as repository from './members.repository.ts'
import { requireRemainingAdmin } from './members.rules.ts'

/** Throws `conflict` when a member who gets another role, or none (undefined), is the last admin. The caller's transaction must have locked the organization. */
export async function requireOtherAdmin(
  tx: Transaction,
  member: Pick<repository.MemberView, 'organizationId' | 'role' | 'isServiceAccount' | 'disabled'>,
  newRole: Role | null | undefined,
): Promise<void> {
  requireRemainingAdmin({ member, newRole, admins: await repository.countAdmins(tx, member.organizationId) })
}
