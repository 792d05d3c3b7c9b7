import { describe, expect, it } from '@jest/globals'
import { seal, unseal } from './credentials.ts'

const key = Buffer.alloc(32, 7).toString('base64url')
const secret = { username: 'user', password: 'hunter2' }

describe('sealed credentials', () => {
  it('are decrypted with the same key and context', () => {
    expect(unseal(seal(secret, 'operation', key), 'operation', key)).toEqual(secret)
  })

  it('do not contain the plain text, and differ each time', () => {
    const sealed = seal(secret, 'operation', key)
    expect(sealed.toString('latin1')).not.toContain('hunter2')
    expect(sealed.equals(seal(secret, 'operation', key))).toBe(false)
  })

  it('cannot be decrypted in another row, with another key, or when changed', () => {
    const sealed = seal(secret, 'operation', key)
    const changed = Buffer.from(sealed)
    changed[40] = (changed[40] ?? 0) ^ 1
    expect(() => unseal(sealed, 'another', key)).toThrow()
    expect(() => unseal(sealed, 'operation', Buffer.alloc(32, 8).toString('base64url'))).toThrow()
    expect(() => unseal(changed, 'operation', key)).toThrow()
  })
})
