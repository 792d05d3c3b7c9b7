import type { Role } from '@recto/actor'
import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { endMemberGrants } from './end-member-grants.ts'
import * as members from './members.repository.ts'
import * as tokens from '../users/tokens.repository.ts'

/**
 * Enables a member, or disables them: tokens of the organization's single sign-on and of its programs are revoked, and no other one is
 * valid in the organization from the signal on. The caller's transaction must have locked the organization.
 */
export async function changeActive(tx: Transaction, key: members.MemberKey, isActive: boolean): Promise<void> {
  await members.setDisabled(tx, key, !isActive)
  if (!isActive) {
    await tokens.removeOfMember(tx, key)
    await endMemberGrants(tx, key)
  }
  const { organization, userId: user } = key
  tx.record(recorded('member.updated', { organization, user, details: { fields: ['disabled'], disabled: !isActive } }))
  await tx.publish(identityEvents.actorChanged, { userIds: [user] })
}

/** Gives a member another role. */
export async function changeRole(tx: Transaction, key: members.MemberKey, role: Role | null): Promise<void> {
  await members.setRole(tx, key, role)
  const { organization, userId: user } = key
  tx.record(recorded('member.updated', { organization, user, details: { fields: ['role'], role } }))
  await tx.publish(identityEvents.actorChanged, { userIds: [user] })
}
