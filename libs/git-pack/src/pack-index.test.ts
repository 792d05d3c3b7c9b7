import { describe, expect, it } from 'vitest'
import { decodeIndex, encodeIndex } from './pack-index.ts'

const invalid = expect.objectContaining({ code: 'invalid' })

describe('an index', () => {
  const entries = ['ff', '00', '80', '81'].map((head, at) => ({ oid: head.repeat(20), offset: [12, 5_000_000_000, 40, 0x7fffffff][at] ?? 0, crc: at }))
  const index = decodeIndex(encodeIndex(entries, Buffer.alloc(20)), 6_000_000_000)

  it('finds every object, also beyond 2 GiB, and where it ends', () =>
    expect(entries.map(({ oid }) => index.find(oid))).toEqual([
      { offset: 12, end: 40 }, { offset: 5_000_000_000, end: 5_999_999_980 }, { offset: 40, end: 0x7fffffff }, { offset: 0x7fffffff, end: 5_000_000_000 },
    ]))

  it('knows nothing else', () => {
    expect(index.find('01'.repeat(20))).toBeUndefined()
    expect(index.endOf(13)).toBeUndefined()
    expect(() => decodeIndex(Buffer.alloc(2_000), 100)).toThrow(invalid)
  })
})
