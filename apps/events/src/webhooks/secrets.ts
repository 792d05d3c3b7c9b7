import { hkdfSync, randomBytes } from 'node:crypto'
import { seal, unseal } from '@recto/database'
import { openWith, type Secrets } from '@recto/operation'

const secretBytes = 32

/** Makes the secret of a webhook, in the form of Standard Webhooks: `whsec_` and its bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

/** Encrypts the secret of a webhook for storage, with a key derived from the secret of the installation (HKDF, RFC 5869); it can be read for this webhook only. */
export function sealWebhookSecret(value: string, webhook: string, [secret]: Secrets): Buffer {
  return seal(value, { key: storageKey(secret), context: webhook })
}

/** Decrypts the secret of a webhook; throws when it was stored for another one, or under another secret. */
export function openWebhookSecret(sealed: Buffer, webhook: string, secrets: Secrets): string {
  return openWith(secrets, secret => unseal(sealed, { key: storageKey(secret), context: webhook })).toString()
}

function storageKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recto secrets of webhooks', secretBytes))
}
