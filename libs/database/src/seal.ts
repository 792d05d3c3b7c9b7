import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

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
