import { describe, expect, it } from '@jest/globals'
import { seal, unseal } from './credentials.ts'

const key = Buffer.alloc(32, 7).toString('base64url')
const secret = { username: 'user', password: 'hunter2' }

describe('sealed credentials', () => {
  it('open with their key and context', () => {
    expect(unseal(seal(secret, 'operation', key), 'operation', key)).toEqual(secret)
  })

  it('show nothing, and never look the same twice', () => {
    const sealed = seal(secret, 'operation', key)
    expect(sealed.toString('latin1')).not.toContain('hunter2')
    expect(sealed.equals(seal(secret, 'operation', key))).toBe(false)
  })

  it('do not open in another row, with another key, or changed', () => {
    const sealed = seal(secret, 'operation', key)
    const changed = Buffer.from(sealed)
    changed[40] = (changed[40] ?? 0) ^ 1
    expect(() => unseal(sealed, 'another', key)).toThrow()
    expect(() => unseal(sealed, 'operation', Buffer.alloc(32, 8).toString('base64url'))).toThrow()
    expect(() => unseal(changed, 'operation', key)).toThrow()
  })
})
