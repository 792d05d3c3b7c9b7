import { identityEvents } from '@recto/contracts-identity-bus'
import type { Transaction } from '@recto/database'
import * as tokens from '../users/tokens.repository.ts'
import type { ProviderKey } from './providers.repository.ts'
import * as signIns from './sign-ins.repository.ts'

/**
 * Revokes the tokens that were issued with a provider, and forgets the sign-ins that were begun with it. The caller's transaction
 * must have locked the organization, so that no sign-in is completed at the same time. Resolves to the number of tokens, which the
 * caller records with what it changed.
 */
export async function endSignIns(tx: Transaction, key: ProviderKey): Promise<number> {
  await signIns.deleteRequests(tx, key.provider)
  const revoked = await tokens.removeOfProvider(tx, key)
  const owners = new Set(revoked.map(({ userId }) => userId))
  if (owners.size > 0) await tx.publish(identityEvents.actorChanged, { userIds: [...owners] })
  return revoked.length
}
