import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const keyBytes = 32

/** Makes the key that signs the tokens of a site's visitors. */
export function newSiteKey(): string {
  return randomBytes(keyBytes).toString('base64url')
}

/** Encrypts the key of a site for storage (AES-256-GCM with a key derived by HKDF); it can be read for this site only. */
export function sealKey(key: string, site: string, secret: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, storageKey(secret), nonce).setAAD(Buffer.from(site))
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the key of a site; throws when it was stored for another one, or under another secret. */
export function openKey(sealed: Buffer, site: string, secret: string): string {
  const [nonce, tag] = [sealed.subarray(0, nonceLength), sealed.subarray(-tagLength)]
  const decipher = createDecipheriv(algorithm, storageKey(secret), nonce).setAAD(Buffer.from(site)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]).toString()
}

function storageKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recto keys of sites', keyBytes))
}
