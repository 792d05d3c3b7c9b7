import { describe, expect, it } from '@jest/globals'
import type { Secrets } from '@recto/operation'
import { seal, unseal } from './credentials.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64url')
const key: Secrets = [keyOf(7)]
const secret = { username: 'user', password: 'hunter2' }

describe('Credentials', () => {
  it('Sealed credentials are decrypted with the same key and context', () => {
    expect(unseal(seal(secret, 'operation', key), 'operation', key)).toEqual(secret)
  })

  it('Sealed credentials do not contain the plain text, and differ each time', () => {
    const sealed = seal(secret, 'operation', key)
    expect(sealed.toString('latin1')).not.toContain('hunter2')
    expect(sealed.equals(seal(secret, 'operation', key))).toBe(false)
  })

  it('Sealed credentials are decrypted after the key was rotated, and encrypted with the new one', () => {
    const rotated: Secrets = [keyOf(8), ...key]
    expect(unseal(seal(secret, 'operation', key), 'operation', rotated)).toEqual(secret)
    expect(() => unseal(seal(secret, 'operation', rotated), 'operation', key)).toThrow()
  })

  it('Sealed credentials cannot be decrypted in another row, with another key, or when changed', () => {
    const sealed = seal(secret, 'operation', key)
    const changed = Buffer.from(sealed)
    changed[40] = (changed[40] ?? 0) ^ 1
    expect(() => unseal(sealed, 'another', key)).toThrow()
    expect(() => unseal(sealed, 'operation', [keyOf(8)])).toThrow()
    expect(() => unseal(changed, 'operation', key)).toThrow()
  })
})
