import { openWith, type Secrets } from '@recto/operation'
import { seal as sealBytes, unseal as unsealBytes } from '@recto/database'

/** Encrypts a value for storage with the installation's key (base64url); it can be used in the row of this `context` only. */
export function seal(value: unknown, context: string, [key]: Secrets): Buffer {
  return sealBytes(JSON.stringify(value), { key: Buffer.from(key, 'base64url'), context })
}

/** Decrypts a value encrypted by `seal`; throws when the key or the context differs. */
export function unseal<T>(sealed: Buffer, context: string, keys: Secrets): T {
  const open = (key: string) => unsealBytes(sealed, { key: Buffer.from(key, 'base64url'), context })
  return JSON.parse(openWith(keys, open).toString()) as T
}
