import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { openPack } from './object-store.ts'
import { decodeIndex, encodeIndex } from './pack-index.ts'
import { packOf, readerOf, withTrailer } from './test/packs.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const packBytes = 6_000_000_000
const names = 8 + 256 * 4

describe('an index', () => {
  const entries = ['ff', '00', '80', '81'].map((head, at) => ({
    oid: head.repeat(20),
    offset: [12, 5_000_000_000, 40, 0x7fffffff][at] ?? 0,
    crc: at,
  }))
  const bytes = encodeIndex(entries, Buffer.alloc(20, 7))
  const index = decodeIndex(bytes, packBytes)
  /** The index with some bytes changed, and its checksum right again. */
  const changed = (change: (copy: Buffer) => Buffer | void) => {
    const copy = Buffer.from(bytes.subarray(0, -20))
    return withTrailer(change(copy) ?? copy)
  }

  it('finds every object and its end, also beyond 2 GiB', () =>
    expect(entries.map(({ oid }) => index.find(oid))).toEqual([
      { offset: 12, end: 40 },
      { offset: 5_000_000_000, end: 5_999_999_980 },
      { offset: 40, end: 0x7fffffff },
      { offset: 0x7fffffff, end: 5_000_000_000 },
    ]))

  it('finds no other object or offset', () => {
    expect(['01'.repeat(20), 'ff', `${'ff'.repeat(19)}fe`, ''].map(index.find)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(index.endOf(13)).toBeUndefined()
    expect(index.packChecksum).toEqual(Buffer.alloc(20, 7))
  })

  it('finds the first entry of a duplicated object', () => {
    const oid = 'ab'.repeat(20)
    const twice = decodeIndex(
      encodeIndex(
        [
          { oid, offset: 50, crc: 0 },
          { oid: '00'.repeat(20), offset: 12, crc: 0 },
          { oid, offset: 30, crc: 0 },
        ],
        Buffer.alloc(20),
      ),
      100,
    )
    expect(twice.find(oid)).toEqual({ offset: 50, end: 80 })
  })

  it.each([
    ['is nothing', Buffer.alloc(0)],
    ['is cut off', bytes.subarray(0, -1)],
    ['has the wrong checksum', Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
    ['claims more objects than it has room for', changed(copy => void copy.writeUInt32BE(0xffffffff, names - 4))],
    ['claims fewer objects than it has room for', changed(copy => void copy.writeUInt32BE(1, names - 4))],
    ['has names out of order', changed(copy => void copy.fill(0x85, names + 20, names + 40))],
    ['counts its names wrongly', changed(copy => void copy.writeUInt32BE(2, 8))],
    ['refers to an offset that it lacks', changed(copy => void copy.writeUInt32BE(0x80000001, names + 4 * 24))],
    ['has an offset that nothing refers to', changed(copy => void copy.writeUInt32BE(80, names + 4 * 24))],
    [
      'has an offset beyond its pack',
      changed(copy => void copy.writeBigUInt64BE(BigInt(packBytes - 20), names + 4 * 28)),
    ],
    ['has an offset before the first entry', changed(copy => void copy.writeUInt32BE(11, names + 4 * 24 + 12))],
    ['has two names for one entry', changed(copy => void copy.writeUInt32BE(40, names + 4 * 24 + 12))],
    [
      'has half of an offset more',
      changed(copy => Buffer.concat([copy.subarray(0, -20), Buffer.alloc(4), copy.subarray(-20)])),
    ],
  ])('is refused when it %s', (_title, broken) => expect(() => decodeIndex(broken, packBytes)).toThrow(invalid))

  it.each([
    ['of version 3', changed(copy => void copy.writeUInt32BE(3, 4))],
    ['of version 1, which has no magic number', Buffer.alloc(2_000)],
  ])('%s is not supported', (_title, other) =>
    expect(() => decodeIndex(other, packBytes)).toThrow(expect.objectContaining({ code: 'unsupported' })),
  )

  it('belongs to one pack', async () => {
    const pack = packOf([])
    const sha = createHash('sha1').update(pack.subarray(0, -20)).digest()
    expect((await openPack(readerOf(pack), encodeIndex([], sha))).index.count).toBe(0)
    await expect(openPack(readerOf(pack), encodeIndex([], Buffer.alloc(20)))).rejects.toEqual(invalid)
  })
})
