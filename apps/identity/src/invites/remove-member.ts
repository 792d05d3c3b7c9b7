import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import * as pendingInvites from './pending-invites.repository.ts'
import * as tokens from '../users/tokens.repository.ts'
import * as members from '../members/members.repository.ts'

/**
 * Removes a member with their invites, and the tokens that single sign-on issued to them; records that and publishes it. The caller's
 * transaction must have locked the organization, and made sure that an admin remains.
 */
export async function removeMember(
  tx: Transaction,
  { organization, userId, email, role }: members.MemberKey & Pick<members.MemberView, 'email' | 'role'>,
): Promise<void> {
  const key = { organization, userId }
  await tokens.removeOfMember(tx, key)
  for (const { id: invite } of await pendingInvites.deleteByEmail(tx, email, organization))
    tx.record(recorded('invite.deleted', { organization, invite }))
  await members.remove(tx, key)
  tx.record(recorded('member.removed', { organization, user: userId, details: { role } }))
  await tx.publish(identityEvents.actorChanged, { userIds: [userId] })
  await tx.publish(identityEvents.memberRemoved, { organization, user: userId, at: new Date().toISOString() })
}
