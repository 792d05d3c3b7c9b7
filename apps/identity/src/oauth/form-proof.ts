import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { currentWork } from './current-work.ts'

/** The proof that a form is of a page that we made for these parts. After the secret of the installation has changed, pages that are open must be loaded again. */
export function formProof(parts: readonly unknown[]): string {
  const [secret] = currentWork().context.signingSecret
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'recto forms of the oauth server', 32))
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

/** Whether the fields of a form have a proof. */
export function hasProof(fields: URLSearchParams, proof: string): boolean {
  const sent = Buffer.from(fields.get('csrf') ?? '')
  const own = Buffer.from(proof)
  return sent.length === own.length && timingSafeEqual(sent, own)
}
