import { decodeUriComponent } from '@recto/text'
import type { Secrets } from '@recto/operation'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { blobKey } from './blob-key.ts'

const HOUR_SECONDS = 3_600
const HASH_BYTES = 32
const EXPIRY_BYTES = 6
const MAC_BYTES = 32

/** Stands before what a link was issued for, as a parameter of its media type (RFC 9110, 8.3.1), so that who does not know it serves the file all the same. */
const ISSUED_FOR = '; issued-for='

/** A file to be downloaded: its blob, name and media type. */
export interface Download {
  hash: string
  name: string
  contentType: string
  /** Whatever the issuer wrote; signed, and not interpreted here. */
  issuedFor?: string | undefined
}

/** The grant of a signed link; it is valid at least until `expiresAt`. */
export interface DownloadGrant extends Download {
  secret: Secrets
  publicUrl: string
  expiresAt: Date
}

/** Why a link is refused. */
export type DownloadFault = 'malformed' | 'forged' | 'expired'

/**
 * Creates a URL `<publicUrl>/files/<token>/<name>` that anyone may download until it expires. The expiry is rounded up to the full hour
 * (UTC), so the URL stays the same meanwhile and can be cached. Hash, name, type, expiry and what it is issued for are signed (HMAC-SHA-256).
 */
export function signDownload(grant: DownloadGrant): string {
  blobKey(grant.hash)
  const name = segmentName(grant.name)
  const claims = encodeClaims(grant)
  const token = Buffer.concat([claims, mac(grant.secret[0], claims, name)]).toString('base64url')
  return `${grant.publicUrl.replace(/\/+$/, '')}/files/${token}/${encodeName(name)}`
}

/** Verifies the path of a signed download (as received, still encoded; a query is ignored); returns the download, or why it is refused. */
export function verifyDownload(
  { secret, now }: { secret: Secrets; now: Date },
  path: string,
): Download | DownloadFault {
  const [, token, encoded] = /\/files\/([\w-]+)\/([^/?#]+)(?:\?[^#]*)?$/.exec(path) ?? []
  const name = encoded === undefined ? undefined : decodeUriComponent(encoded)
  const bytes = Buffer.from(token ?? '', 'base64url')
  if (name === undefined || bytes.length < HASH_BYTES + EXPIRY_BYTES + MAC_BYTES) return 'malformed'
  const claims = bytes.subarray(0, -MAC_BYTES)
  const signed = bytes.subarray(-MAC_BYTES)
  if (!secret.some(each => timingSafeEqual(mac(each, claims, name), signed))) return 'forged'
  const { expiry, ...download } = decodeClaims(claims)
  return expiry <= now.getTime() / 1_000 ? 'expired' : { ...download, name }
}

function encodeClaims({ hash, expiresAt, contentType, issuedFor }: DownloadGrant): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeUIntBE(Math.ceil(expiresAt.getTime() / 1_000 / HOUR_SECONDS) * HOUR_SECONDS, 0, EXPIRY_BYTES)
  return Buffer.concat([Buffer.from(hash, 'hex'), expiry, Buffer.from(encodeType(contentType, issuedFor))])
}

/** The media type, whose own parameter of that name would be read as the issuer's, with what the link is issued for. */
function encodeType(contentType: string, issuedFor: string | undefined): string {
  const [type = ''] = contentType.split(ISSUED_FOR, 1)
  return issuedFor === undefined ? type : `${type}${ISSUED_FOR}${Buffer.from(issuedFor).toString('base64url')}`
}

function decodeClaims(claims: Buffer): Omit<Download, 'name'> & { expiry: number } {
  const [contentType = '', issuedFor] = claims.toString('utf8', HASH_BYTES + EXPIRY_BYTES).split(ISSUED_FOR)
  return {
    hash: claims.toString('hex', 0, HASH_BYTES),
    expiry: claims.readUIntBE(HASH_BYTES, EXPIRY_BYTES),
    contentType,
    ...(issuedFor !== undefined && { issuedFor: Buffer.from(issuedFor, 'base64url').toString() }),
  }
}

/** The signature covers the length of the claims, so that no byte can move from the type into the name. */
function mac(secret: string, claims: Buffer, name: string): Buffer {
  return createHmac('sha256', secret).update(`download:${claims.length}:`).update(claims).update(name).digest()
}

/** Makes a name usable as the last path segment: URL parsers resolve `.` and `..`, and UTF-8 has no lone surrogates. */
function segmentName(name: string): string {
  const wellFormed = Buffer.from(name).toString()
  return wellFormed === '' || wellFormed === '.' || wellFormed === '..' ? 'file' : wellFormed
}

/** Percent-encodes all but the unreserved characters of RFC 3986, so that a link survives inside Markdown and HTML too. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
