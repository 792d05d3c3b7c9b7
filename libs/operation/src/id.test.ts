import { describe, expect, it } from '@jest/globals'
import { createId } from './id.ts'

const many = <T>(make: () => T): T[] => Array.from({ length: 500 }, make)

describe('an id', () => {
  it('is 20 characters that need no escape in a URL or a subject', () => {
    for (const id of many(createId)) expect(id).toMatch(/^[0-9A-Za-z]{20}$/)
  })

  it('is different each time', () => expect(new Set(many(createId)).size).toBe(500))

  it('uses the whole alphabet at every position', () => {
    const seen = new Set(many(createId).map(id => id[0]))
    expect(seen.size).toBeGreaterThan(50)
  })
})
