import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { RecordEntry } from '@recto/operation'
import type { RevokedToken } from '../users/tokens.repository.ts'
import * as members from './members.repository.ts'

/** Records a change of a user in each organization that they belong to. */
export async function recordForUser(
  tx: Transaction,
  userId: string,
  entryIn: (place: { organization: string; user: string }) => RecordEntry,
): Promise<void> {
  for (const organization of await members.findOrganizationIds(tx, userId))
    tx.record(entryIn({ organization, user: userId }))
}

/** Lets a member sign in by single sign-on, and records it where they did not before. */
export async function setSso(tx: Transaction, key: members.MemberKey): Promise<void> {
  if (!(await members.setSso(tx, key))) return
  const { organization, userId: user } = key
  tx.record(recorded('member.updated', { organization, user, details: { fields: ['sso'] } }))
}

/** Records that tokens were revoked: in each organization of their owner, or only in that whose single sign-on issued them. */
export async function recordRevocation(tx: Transaction, tokens: readonly RevokedToken[]): Promise<void> {
  for (const { id: token, userId: user, ssoOrganization } of tokens)
    if (ssoOrganization) tx.record(recorded('token.deleted', { organization: ssoOrganization, user, token }))
    else await recordForUser(tx, user, place => recorded('token.deleted', { ...place, token }))
}
