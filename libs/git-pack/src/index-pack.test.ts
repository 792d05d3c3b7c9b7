import { deflateSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { indexPack, type PackLimits } from './index-pack.ts'
import { maxDeltaDepth } from './pack-entry.ts'
import { PackReader } from './pack-reader.ts'
import {
  delta,
  distanceBytes,
  entry,
  entryHeader,
  entryTypes,
  instruction,
  objectId,
  packOf,
  readerOf,
  sourceOf,
} from './test/packs.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const limits: PackLimits = { maxObject: 1_000, maxInflated: 1e9, maxObjects: 100_000, cacheBytes: 1_000_000 }
const { blob, offsetDelta, refDelta } = entryTypes

const idBytes = (oid: string) => [...Buffer.from(oid, 'hex')]
const hex = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'))

/** Offsets of the entries of a pack. */
function offsetsOf(entries: readonly Buffer[]): number[] {
  let offset = 12
  return entries.map(({ length }) => (offset += length) - length)
}

describe('a pack', () => {
  const size = 300_000
  const deflated = deflateSync(Buffer.alloc(size, 'not too regular, '), { level: 0 })
  const large = (data: Buffer) => packOf([Buffer.concat([entryHeader(blob, size), data])])

  it('with an intact object over the limit is indexed without it', async () =>
    expect(await indexPack(readerOf(large(deflated)), limits)).toMatchObject({ entries: [], skipped: true }))

  it('with a truncated object over the limit is invalid', () =>
    expect(indexPack(readerOf(large(deflated.subarray(0, -70_000))), limits)).rejects.toEqual(invalid))

  it('with an object over the limit is verified completely', () => {
    const pack = large(deflated)
    pack[pack.length - 1] = (pack.at(-1) ?? 0) ^ 1
    return expect(indexPack(readerOf(pack), limits)).rejects.toEqual(invalid)
  })

  it('whose source ends early is invalid', async () => {
    const pack = large(deflated)
    const { bytes, read } = sourceOf(pack)
    let left = deflated.length + 1_000
    const ending = {
      bytes,
      read: async (target: Uint8Array, position: number) => ((left -= target.length) < 0 ? 0 : read(target, position)),
    }
    await expect(indexPack(new PackReader(ending), limits)).rejects.toEqual(invalid)
  })

  it('stops being indexed when the signal is aborted', () =>
    expect(indexPack(readerOf(large(deflated)), limits, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    ))

  it('of version 3 is read like version 2, and other versions are unsupported', async () => {
    const entries = [entry(blob, Buffer.from('hello'))]
    const [two, three] = await Promise.all(
      [2, 3].map(version => indexPack(readerOf(packOf(entries, { version })), limits)),
    )
    expect(three?.entries).toEqual(two?.entries)
    await expect(indexPack(readerOf(packOf(entries, { version: 4 })), limits)).rejects.toMatchObject({
      code: 'unsupported',
    })
  })

  it('with more objects than the limit is refused', () =>
    expect(indexPack(readerOf(packOf([], { count: 100_001 })), limits)).rejects.toMatchObject({ code: 'too_large' }))

  it.each([
    ['no pack', Buffer.from('PICK')],
    ['the wrong trailer', Buffer.concat([packOf([]).subarray(0, -1), Buffer.from([0])])],
    ['too few objects', packOf([entry(blob, Buffer.from('a'))], { count: 2 })],
    ['too many objects', packOf([entry(blob, Buffer.from('a'))], { count: 0 })],
    [
      'a base that is no entry',
      packOf([entry(blob, Buffer.from('a')), entry(offsetDelta, delta({ base: 1, result: 1 }, [0x90, 1]), [1])]),
    ],
    ['a base that is the delta itself', packOf([entry(offsetDelta, delta({ base: 1, result: 1 }, [0x90, 1]), [0])])],
    [
      'a base that is nowhere',
      packOf([entry(refDelta, delta({ base: 1, result: 1 }, [0x90, 1]), idBytes('ab'.repeat(20)))]),
    ],
  ])('is refused with %s', (_title, pack) => expect(indexPack(readerOf(pack), limits)).rejects.toEqual(invalid))
})

describe('a delta', () => {
  const text = Buffer.from('hello world')
  const whole = entry(blob, text)

  it('whose base was skipped is skipped', async () => {
    const base = entry(blob, Buffer.alloc(2_000, 'a'))
    const change = entry(
      offsetDelta,
      delta({ base: 2_000, result: 3 }, instruction.copy(0, 3)),
      distanceBytes(base.length),
    )
    const onChange = entry(
      offsetDelta,
      delta({ base: 3, result: 3 }, instruction.copy(0, 3)),
      distanceBytes(change.length),
    )
    const { entries, skipped } = await indexPack(readerOf(packOf([base, change, onChange, whole])), limits)
    expect([entries.map(({ oid }) => oid), skipped]).toEqual([[objectId('blob', text)], true])
  })

  it('whose base is not an entry is refused, even when another object was skipped', () => {
    const large = entry(blob, Buffer.alloc(2_000, 'a'))
    const change = entry(offsetDelta, delta({ base: 11, result: 11 }, instruction.copy(0, 11)), distanceBytes(1))
    return expect(indexPack(readerOf(packOf([large, change])), limits)).rejects.toEqual(invalid)
  })

  it('may stand before its base, and many of them in the wrong order', async () => {
    const depth = 3_000
    const steps = Array.from({ length: depth + 1 }, (_, at) => hex(at))
    const onto = (at: number) =>
      entry(
        refDelta,
        delta({ base: 8, result: 8 }, instruction.insert([...(steps[at] ?? [])])),
        idBytes(objectId('blob', steps[at - 1] ?? text)),
      )
    const deltas = Array.from({ length: depth }, (_, at) => onto(depth - at))
    const { entries } = await indexPack(readerOf(packOf([...deltas, entry(blob, steps[0] ?? text)])), limits)
    expect(entries.map(({ oid }) => oid)).toEqual(steps.map(step => objectId('blob', step)))
  })

  it('that reproduces the base of its own base causes no cycle', async () => {
    const other = Buffer.from('HELLO WORLD')
    const there = entry(
      refDelta,
      delta({ base: 11, result: 11 }, instruction.insert([...other])),
      idBytes(objectId('blob', text)),
    )
    const back = entry(
      refDelta,
      delta({ base: 11, result: 11 }, instruction.insert([...text])),
      idBytes(objectId('blob', other)),
    )
    const again = entry(
      refDelta,
      delta({ base: 11, result: 5 }, instruction.copy(0, 5)),
      idBytes(objectId('blob', text)),
    )
    const { entries } = await indexPack(readerOf(packOf([whole, there, back, again])), { ...limits, cacheBytes: 1 })
    expect(entries.map(({ oid }) => oid)).toEqual(
      [text, other, text, Buffer.from('hello')].map(data => objectId('blob', data)),
    )
  })

  it('may end a chain of the maximum length, and no longer one', async () => {
    const deltas = Array.from({ length: maxDeltaDepth + 1 }, (_, at) =>
      delta({ base: 8, result: 8 }, instruction.insert([...hex(at)])),
    )
    const entries = [entry(blob, hex(0))]
    for (const change of deltas) entries.push(entry(offsetDelta, change, distanceBytes(entries.at(-1)?.length ?? 0)))
    expect((await indexPack(readerOf(packOf(entries.slice(0, -1))), limits)).entries).toHaveLength(maxDeltaDepth + 1)
    await expect(indexPack(readerOf(packOf(entries)), limits)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('counts its inflated size once, even when its base is evicted and resolved again', async () => {
    const length = 20_000_000
    /** A delta that replaces the first byte of the base and copies the rest. */
    const change = (byte: number) =>
      delta(
        { base: length, result: length },
        [1, byte],
        instruction.copy(1, 0xffffff),
        instruction.copy(0x1000000, length - 0x1000000),
      )
    const entries = [entry(blob, Buffer.alloc(length))]
    // The last one depends on the first delta, and the cache holds only one object of this size.
    for (const [at, base] of [0, 1, 2, 1].entries()) {
      const end = offsetsOf([...entries, Buffer.alloc(0)])
      entries.push(entry(offsetDelta, change(at + 1), distanceBytes((end.at(-1) ?? 0) - (end[base] ?? 0))))
    }
    const all = 5 * length + 4 * change(1).length
    const index = (maxInflated: number) =>
      indexPack(readerOf(packOf(entries)), { maxObject: length, maxInflated, maxObjects: 10, cacheBytes: 32_000_000 })
    expect((await index(all)).entries).toHaveLength(5)
    await expect(index(all - 1)).rejects.toMatchObject({ code: 'too_large' })
  })
})
