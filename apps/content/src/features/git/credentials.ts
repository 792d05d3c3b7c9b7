import { seal as sealBytes, unseal as unsealBytes } from '@recto/database'

/** Encrypts a value for storage with the installation's key (base64url); it can be used in the row of this `context` only. */
export function seal(value: unknown, context: string, key: string): Buffer {
  return sealBytes(JSON.stringify(value), { key: Buffer.from(key, 'base64url'), context })
}

/** Decrypts a value encrypted by `seal`; throws when the key or the context differs. */
export function unseal<T>(sealed: Buffer, context: string, key: string): T {
  return JSON.parse(unsealBytes(sealed, { key: Buffer.from(key, 'base64url'), context }).toString()) as T
}
