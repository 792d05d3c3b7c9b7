import { describe, expect, it } from '@jest/globals'
import { applyDelta, readEntryHeader } from './pack-entry.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const bytes = (...numbers: number[]) => Buffer.from(numbers)

describe('an entry header', () => {
  it.each([
    ['a small blob', bytes(0x35), { type: 'blob', size: 5, length: 1 }],
    ['a commit over 15 bytes', bytes(0x9f, 0x01), { type: 'commit', size: 31, length: 2 }],
    ['a delta by distance', bytes(0x61, 0x80, 0x00), { type: 'delta', size: 1, length: 3, base: { distance: 128 } }],
    [
      'a delta by id',
      Buffer.concat([bytes(0x72), Buffer.alloc(20, 0xab)]),
      { type: 'delta', size: 2, length: 21, base: { oid: 'ab'.repeat(20) } },
    ],
  ])('of %s is read', (_title, header, expected) => expect(readEntryHeader(header)).toEqual(expected))

  it.each([[bytes()], [bytes(0x00)], [bytes(0x50)], [bytes(0xb0)], [Buffer.alloc(20, 0x70)]])('%j is refused', header =>
    expect(() => readEntryHeader(header)).toThrow(invalid),
  )

  it('with an overlong size encoding is not supported, although git accepts it', () =>
    expect(() => readEntryHeader(Buffer.alloc(20, 0xff))).toThrow(expect.objectContaining({ code: 'unsupported' })))
})

describe('a delta', () => {
  const base = Buffer.from('hello world')
  it('copies from its base and inserts', () =>
    expect(applyDelta(base, bytes(11, 9, 0x91, 6, 5, 4, 0x21, 0x21, 0x21, 0x21)).toString()).toBe('world!!!!'))

  it('copies 64 KiB when the instruction has no size', () => {
    const large = Buffer.alloc(0x10000, 1)
    expect(applyDelta(large, bytes(0x80, 0x80, 4, 0x80, 0x80, 4, 0x80))).toEqual(large)
  })

  it('copies from beyond 16 MiB', () => {
    const large = Buffer.concat([Buffer.alloc(0x1000000, 1), base])
    expect(applyDelta(large, bytes(0x8b, 0x80, 0x80, 8, 5, 0x98, 1, 5)).toString()).toBe('hello')
  })

  it.each([
    ['for another base', bytes(10, 1, 0x91, 0, 1)],
    ['that copies beyond the base', bytes(11, 5, 0x91, 10, 5)],
    ['that writes too much', bytes(11, 1, 0x91, 0, 5)],
    ['that writes too little', bytes(11, 6, 0x91, 0, 5)],
    ['that inserts beyond its end', bytes(11, 5, 5, 1)],
    ['with a reserved instruction', bytes(11, 1, 0)],
    ['that is cut off', bytes(11, 5, 0x91)],
    ['that is too short for git', bytes(11, 0)],
    ['whose sizes are cut off, though git takes it', bytes(11, 0x80, 0x80, 0x80)],
  ])('%s is refused', (_title, delta) => expect(() => applyDelta(base, delta)).toThrow(invalid))
})
