import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import type { RecordEntry } from '@recto/operation'
import type { TokenRow } from '../users/token.entity.ts'
import * as tokens from '../users/tokens.repository.ts'
import * as members from './members.repository.ts'
import type { LimitsByOrganization } from './token-limits.ts'

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

/**
 * Writes a token, and records it with all that it is restricted by: to what it is limited in the organization of each record, and whether it
 * is bound to addresses, which the record does not name.
 */
export async function insertToken(
  tx: Transaction,
  row: TokenRow,
  limits: LimitsByOrganization = new Map(),
): Promise<void> {
  await tokens.insert(tx, row)
  const { scopes, expiresAt, allowedAddresses, limitedTo } = row
  const limitsIn = (organization: string) =>
    limitedTo ? { limitedTo: limits.get(organization) ?? { spaces: [], collections: [], sites: [] } } : {}
  await recordOfToken(tx, row, place => {
    const ends = { scopes, expiresAt: expiresAt?.toISOString() ?? null }
    const addresses = allowedAddresses ? { isBoundToAddresses: true } : {}
    return recorded('token.created', { ...place, details: { ...ends, ...addresses, ...limitsIn(place.organization) } })
  })
}

/** Records that tokens were revoked. */
export async function recordRevocation(tx: Transaction, revoked: readonly tokens.RevokedToken[]): Promise<void> {
  for (const token of revoked) await recordOfToken(tx, token, place => recorded('token.deleted', place))
}

/** Records a change of a token: in each organization of its owner, or only in that whose single sign-on issued it. */
async function recordOfToken(
  tx: Transaction,
  { id: token, userId: user, ssoOrganization: organization }: tokens.RevokedToken,
  entryIn: (place: { organization: string; user: string; token: string }) => RecordEntry,
): Promise<void> {
  if (organization) tx.record(entryIn({ organization, user, token }))
  else await recordForUser(tx, user, place => entryIn({ ...place, token }))
}
