import { hkdfSync, randomBytes } from 'node:crypto'
import { seal, unseal } from '@recto/database'
import { openWith, type Secrets } from '@recto/operation'

const keyBytes = 32

/** Makes the key that signs the tokens of a site's visitors. */
export function newSiteKey(): string {
  return randomBytes(keyBytes).toString('base64url')
}

/** Encrypts the key of a site for storage, with a key derived from the secret (HKDF, RFC 5869); it can be read for this site only. */
export function sealKey(key: string, site: string, [secret]: Secrets): Buffer {
  return seal(key, { key: storageKey(secret), context: site })
}

/** Decrypts the key of a site; throws when it was stored for another one, or under another secret. */
export function openKey(sealed: Buffer, site: string, secrets: Secrets): string {
  return openWith(secrets, secret => unseal(sealed, { key: storageKey(secret), context: site })).toString()
}

function storageKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recto keys of sites', keyBytes))
}
