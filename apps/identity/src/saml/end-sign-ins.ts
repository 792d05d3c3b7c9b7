import { identityEvents } from '@recto/contracts-identity-bus'
import type { Transaction } from '@recto/database'
import * as tokens from '../users/tokens.repository.ts'
import type { ProviderKey } from './providers.repository.ts'
import * as signIns from './sign-ins.repository.ts'

/**
 * Revokes the tokens that were issued with a provider, and forgets the sign-ins that were begun with it. The caller's transaction
 * must have locked the organization, so that no sign-in is completed at the same time.
 */
export async function endSignIns(tx: Transaction, key: ProviderKey): Promise<void> {
  await signIns.deleteRequests(tx, key.provider)
  const owners = await tokens.removeOfProvider(tx, key)
  if (owners.length > 0) await tx.publish(identityEvents.actorChanged, { userIds: [...new Set(owners)] })
}
