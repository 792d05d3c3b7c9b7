import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { openWith, type Secrets } from '@recto/operation'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** The 32 bytes that encrypt a value, and what it is of: it can be decrypted with the same context only. */
export interface SealingKey {
  key: Uint8Array
  context?: string
}

/** Encrypts a value for storage, AES-256-GCM (NIST SP 800-38D): nonce, tag, ciphertext. `context` is authenticated, so that the result cannot be used in another row. */
export function seal(value: Uint8Array | string, { key, context = '' }: SealingKey): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a value encrypted by `seal`; throws when the key or the context differs, or the value was changed. */
export function unseal(sealed: Uint8Array, { key, context = '' }: SealingKey): Buffer {
  const nonce = sealed.subarray(0, nonceLength)
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength)
  const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()])
}

/** Encrypts texts of one purpose with keys that are derived from secrets. */
export interface Sealer {
  /** Encrypts with the current secret. */
  seal(text: string, context: string, secrets: Secrets): Buffer
  /** Decrypts what any of the secrets has encrypted; throws when none has, or for another context or purpose. */
  unseal(sealed: Uint8Array, context: string, secrets: Secrets): string
}

/** `seal` and `unseal` with keys for one purpose (HKDF with SHA-256, RFC 5869). The purpose must never change: what is stored depends on it. */
export function sealerFor(purpose: string): Sealer {
  const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal: (text, context, [secret]) => seal(text, { key: keyOf(secret), context }),
    unseal: (sealed, context, secrets) =>
      openWith(secrets, secret => unseal(sealed, { key: keyOf(secret), context })).toString(),
  }
}
