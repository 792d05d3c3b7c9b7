import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** Encrypts a value for storage, AES-256-GCM; `context` is authenticated, so that the result cannot be used in another row. */
export function seal(value: unknown, context: string, key: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, Buffer.from(key, 'base64url'), nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts a value encrypted by `seal`; throws when the key or the context differs. */
export function unseal<T>(sealed: Buffer, context: string, key: string): T {
  const nonce = sealed.subarray(0, nonceLength)
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength)
  const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64url'), nonce)
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  const opened = Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()])
  return JSON.parse(opened.toString()) as T
}
