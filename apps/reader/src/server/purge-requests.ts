import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '@recto/text'
import type { PageResponse } from '../responses/page-response.ts'

/** Where publishing notifies readers of changes, as it does the open-source reader. */
export const purgePath = '/~gitbook/revalidate'

/** Answers a notification that something changed, if its signature (HMAC-SHA-256 of the body, in hexadecimal) is of the secret. */
export function answerPurge(
  { body, signature }: { body: string; signature: string | undefined },
  { secret, forget }: { secret: string | undefined; forget(tags: readonly string[]): void },
): PageResponse {
  if (secret === undefined || !isSigned(body, { signature, secret }))
    return { status: 401, headers: { 'content-type': 'text/plain' }, body: 'The signature is not valid\n' }
  forget(tagsIn(body))
  return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"success":true}' }
}

function tagsIn(body: string): string[] {
  const { tags } = (parseJson(body) ?? {}) as { tags?: unknown }
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : []
}

function isSigned(
  body: string,
  { signature = '', secret }: { signature: string | undefined; secret: string },
): boolean {
  const expected = createHmac('sha256', secret).update(body).digest()
  const signatureBytes = Buffer.from(signature, 'hex')
  return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected)
}
