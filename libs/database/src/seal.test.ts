import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { seal, unseal } from './seal.ts'

describe('a sealed value', () => {
  const key = randomBytes(32)

  it.each(['', 'a secret', 'ü'.repeat(1000)])('%p is read with its key and context, and only so', value => {
    const sealed = seal(value, { key, context: 'row 1' })
    expect(unseal(sealed, { key, context: 'row 1' }).toString()).toBe(value)
    expect(() => unseal(sealed, { key, context: 'row 2' })).toThrow()
    expect(() => unseal(sealed, { key: randomBytes(32), context: 'row 1' })).toThrow()
  })

  it('is refused when any byte of it was changed', () => {
    const sealed = seal('a secret', { key })
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(changed, { key })).toThrow()
    }
  })

  it('does not show what it is, nor whether it is the same', () => {
    expect(seal('a secret', { key }).includes('secret')).toBe(false)
    expect(seal('a secret', { key })).not.toEqual(seal('a secret', { key }))
  })
})
