import { randomBytes } from 'node:crypto'
import { sealerFor } from '@recto/database'

/** Makes the secret of a webhook, in the form of Standard Webhooks: `whsec_` and its bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Encrypts the secrets of webhooks for storage; the context is the id of the webhook. */
export const webhookSecrets = sealerFor('recto secrets of webhooks')
