import { identityEvents } from '@recto/contracts-identity-bus'
import type { Transaction } from '@recto/database'
import * as tokens from '../users/tokens.repository.ts'
import * as signIns from './sign-ins.repository.ts'

/**
 * Revokes the tokens that were issued with a provider, and forgets the sign-ins that were begun with it. The caller's transaction must
 * have locked the organization, so that no sign-in is completed at the same time. Resolves to the number of tokens, which the caller
 * records with what it changed.
 */
export async function endSignIns(tx: Transaction, provider: string): Promise<number> {
  await signIns.removeOfProvider(tx, provider)
  const revoked = await revokeTokens(tx, provider)
  return revoked.length
}

/** Revokes the tokens of a provider, of all its sessions unless one is named, and tells gateways at once. Resolves to the tokens. */
export async function revokeTokens(
  tx: Transaction,
  provider: string,
  session: { sub?: string | undefined; sid?: string | undefined } = {},
): Promise<tokens.RevokedToken[]> {
  const revoked = await tokens.removeOfOidcProvider(tx, provider, session)
  const owners = new Set(revoked.map(({ userId }) => userId))
  if (owners.size > 0) await tx.publish(identityEvents.actorChanged, { userIds: [...owners] })
  return revoked
}
