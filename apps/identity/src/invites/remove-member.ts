import { identityEvents } from '@recto/contracts-identity-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { recordRevocation } from '../members/member-records.ts'
import * as members from '../members/members.repository.ts'
import { endMemberGrants } from '../members/end-member-grants.ts'
import * as tokens from '../users/tokens.repository.ts'
import * as pendingInvites from './pending-invites.repository.ts'

/**
 * Removes a member with the pending invite of their e-mail, their tokens of the single sign-on and of programs of the organization, and a
 * service account with all of its tokens; records that and publishes it.
 */
export async function removeMember(
  tx: Transaction,
  { organizationId: organization, userId: user, email, role, isServiceAccount }: members.MemberView,
): Promise<void> {
  const key = { organization, userId: user }
  // The record of a token names the organizations of its owner: it comes before the end of the membership.
  if (isServiceAccount) await recordRevocation(tx, await tokens.removeOfUser(tx, user))
  else await tokens.removeOfMember(tx, key)
  await endMemberGrants(tx, key)
  for (const { id: invite } of await pendingInvites.deleteByEmail(tx, email, organization))
    tx.record(recorded('invite.deleted', { organization, invite }))
  await members.remove(tx, key)
  tx.record(recorded('member.removed', { organization, user, details: { role } }))
  await tx.publish(identityEvents.actorChanged, { userIds: [user] })
  await tx.publish(identityEvents.memberRemoved, { organization, user, at: new Date().toISOString() })
}
