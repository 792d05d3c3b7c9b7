import type { Secrets } from '@recto/operation'
import { createHmac, timingSafeEqual } from 'node:crypto'

const NUMBER_BYTES = 6
const MAC_BYTES = 32

/** The grant of a signed upload URL: to store so many bytes under the key of an upload. */
export interface Upload {
  key: string
  /** Exact number of bytes. */
  size: number
}

/** An upload with what its URL is made of; the URL is valid until `expiresAt`, rounded up to the full second. */
export interface UploadGrant extends Upload {
  secret: Secrets
  publicUrl: string
  expiresAt: Date
}

/** Why an upload URL is refused. */
export type UploadFault = 'malformed' | 'forged' | 'expired'

/** Path of signed uploads, before the token. */
export const uploadPath = '/uploads/'

/** Creates a URL `<publicUrl>/uploads/<token>` to which anyone may `PUT` the bytes until it expires; all of it is signed (HMAC-SHA-256). */
export function signUpload({ secret, publicUrl, expiresAt, key, size }: UploadGrant): string {
  const claims = Buffer.alloc(2 * NUMBER_BYTES + Buffer.byteLength(key))
  claims.writeUIntBE(Math.ceil(expiresAt.getTime() / 1_000), 0, NUMBER_BYTES)
  claims.writeUIntBE(size, NUMBER_BYTES, NUMBER_BYTES)
  claims.write(key, 2 * NUMBER_BYTES)
  const token = Buffer.concat([claims, mac(secret[0], claims)]).toString('base64url')
  return `${publicUrl.replace(/\/+$/, '')}${uploadPath}${token}`
}

/** Verifies the token of an upload URL; returns the upload, or why it is refused. */
export function verifyUpload({ secret, now }: { secret: Secrets; now: Date }, token: string): Upload | UploadFault {
  const bytes = Buffer.from(token, 'base64url')
  if (!/^[\w-]+$/.test(token) || bytes.length <= 2 * NUMBER_BYTES + MAC_BYTES) return 'malformed'
  const claims = bytes.subarray(0, -MAC_BYTES)
  const signed = bytes.subarray(-MAC_BYTES)
  if (!secret.some(each => timingSafeEqual(mac(each, claims), signed))) return 'forged'
  if (claims.readUIntBE(0, NUMBER_BYTES) <= now.getTime() / 1_000) return 'expired'
  return { key: claims.toString('utf8', 2 * NUMBER_BYTES), size: claims.readUIntBE(NUMBER_BYTES, NUMBER_BYTES) }
}

/** The prefix keeps tokens of uploads and of downloads apart, which have the same secret. */
function mac(secret: string, claims: Buffer): Buffer {
  return createHmac('sha256', secret).update('upload:').update(claims).digest()
}
