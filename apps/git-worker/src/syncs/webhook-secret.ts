import { randomBytes } from 'node:crypto'
import { createId } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { sealWebhookSecret, webhookSecretOf } from './set-sync.ts'

type SealedSecret = Pick<GitSyncRow, 'id' | 'webhookSecret'>

const decoySecrets = new Map<string, SealedSecret>()

/** The secret that signs webhooks of a synchronisation; without one a decoy, so that a refusal takes as long and reveals as little. */
export function signingSecretOf(
  sync: SealedSecret | undefined,
  { encryptionKey: key }: Pick<BaseContext, 'encryptionKey'>,
): string {
  return webhookSecretOf(sync ?? decoySecretOf(key), key)
}

function decoySecretOf(key: BaseContext['encryptionKey']): SealedSecret {
  const id = createId()
  const secret = decoySecrets.get(key[0]) ?? {
    id,
    webhookSecret: sealWebhookSecret(randomBytes(32).toString('hex'), id, key),
  }
  decoySecrets.set(key[0], secret)
  return secret
}
