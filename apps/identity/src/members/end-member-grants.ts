import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import * as grants from '../grants/grants.repository.ts'
import type { MemberKey } from './members.repository.ts'

/**
 * Ends what a member has allowed programs of an organization, which are for its members: nothing of it comes back with the membership. The
 * caller publishes that the user has changed.
 */
export async function endMemberGrants(tx: Transaction, member: MemberKey): Promise<void> {
  const { organization, userId: user } = member
  for (const oauthGrant of await grants.removeOfMember(tx, member))
    tx.record(recorded('oauth-grant.ended', { organization, user, oauthGrant, details: { reason: 'member' } }))
}
