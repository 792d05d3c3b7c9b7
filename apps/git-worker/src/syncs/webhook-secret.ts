import { randomBytes } from 'node:crypto'
import { createId } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { sealWebhookSecret, webhookSecretOf } from './set-sync.ts'

type SealedSecret = Pick<GitSyncRow, 'id' | 'webhookSecret'>

const inventedSecrets = new Map<string, SealedSecret>()

/** The secret that signs webhooks of a synchronisation; without one an invented secret, so that a refusal takes as long and says as little. */
export function pushSecretOf(
  sync: SealedSecret | undefined,
  { encryptionKey: key }: Pick<BaseContext, 'encryptionKey'>,
): string {
  return webhookSecretOf(sync ?? inventedSecret(key), key)
}

function inventedSecret(key: BaseContext['encryptionKey']): SealedSecret {
  const id = createId()
  const secret = inventedSecrets.get(key[0]) ?? {
    id,
    webhookSecret: sealWebhookSecret(randomBytes(32).toString('hex'), id, key),
  }
  inventedSecrets.set(key[0], secret)
  return secret
}
