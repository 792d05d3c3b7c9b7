import { createHmac } from 'node:crypto'

/** A message to be signed. */
export interface SignedMessage {
  /** The same for each attempt. */
  id: string
  /** When this attempt is made. */
  at: Date
  body: string
}

/**
 * The headers of a message as Standard Webhooks 1.0 says: HMAC-SHA-256 over id, seconds and body, once for each secret, so that a receiver
 * that knows either of two accepts it while the secret is replaced.
 */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
