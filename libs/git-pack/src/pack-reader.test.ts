import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexPack } from './index-pack.ts'
import { PackReader } from './pack-reader.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const size = 300_000
const deflated = deflateSync(Buffer.alloc(size, 'not too regular, '), { level: 0 })

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'recto-pack-'))))
afterAll(() => rm(folder, { recursive: true }))

async function reading<T>(bytes: Uint8Array, work: (reader: PackReader) => Promise<T>): Promise<T> {
  const path = join(folder, 'a.pack')
  await writeFile(path, bytes)
  const reader = await PackReader.open(path)
  return work(reader).finally(() => reader.close())
}

/** A pack of one blob, with anything for its checksum. */
function packOf(declared: number, data: Uint8Array): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
  const header = Buffer.from([0xb0 | (declared & 15), 0x80 | ((declared >> 4) & 127), 0x80 | ((declared >> 11) & 127), declared >> 18])
  return Buffer.concat([head, header, data, Buffer.alloc(20)])
}

describe('data that is passed over', () => {
  it('is as long as it is, whatever follows it', async () =>
    expect(await reading(Buffer.concat([deflated, Buffer.alloc(20)]), reader => reader.skip(0, size))).toBe(deflated.length))

  it.each([
    ['is cut off', deflated.subarray(0, -70_000), size],
    ['is nothing', Buffer.alloc(0), size],
    ['is something else', Buffer.alloc(100, 'x'), size],
    ['holds more than it says', deflated, size - 1],
    ['holds less than it says', deflated, size + 1],
  ])('breaks the pack when it %s', (_title, bytes, declared) => expect(reading(bytes, reader => reader.skip(0, declared))).rejects.toEqual(invalid))

  it('is left when the work is', () =>
    expect(reading(deflated, reader => reader.skip(0, size, AbortSignal.abort(new Error('enough'))))).rejects.toThrow('enough'))
})

describe('a pack', () => {
  const limits = { maxObject: 1_000, maxInflated: 1e9, maxObjects: 10 }

  it('with an object over the limit that is whole is indexed without it', async () =>
    expect(await reading(packOf(size, deflated), reader => indexPack(reader, limits))).toEqual({ entries: [], skipped: true }))

  it('with an object over the limit that is cut off is broken', () =>
    expect(reading(packOf(size, deflated.subarray(0, -70_000)), reader => indexPack(reader, limits))).rejects.toEqual(invalid))

  it('is left when the work is', () =>
    expect(reading(packOf(size, deflated), reader => indexPack(reader, limits, AbortSignal.abort(new Error('enough'))))).rejects.toThrow('enough'))
})

describe('a chain of deltas', () => {
  const length = 20_000_000
  const number = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...number(Math.floor(value / 128))])
  const entry = (type: number, data: Buffer, more: number[] = []) =>
    Buffer.concat([Buffer.from([(type << 4) | (data.length & 15) | 128, ...number(Math.floor(data.length / 16))]), Buffer.from(more), deflateSync(data)])
  /** All of the base but its first byte, which is another. */
  const change = (byte: number) => Buffer.from([...number(length), ...number(length), 1, byte, 0xf1, 1, ...threeBytes(0xffffff), 0xff, ...[0, 0, 0, 1], ...threeBytes(length - 1 - 0xffffff)])
  const threeBytes = (size: number) => [size & 255, (size >> 8) & 255, size >> 16]
  const back = (distance: number): number[] => {
    const bytes = [distance & 127]
    for (let left = Math.floor(distance / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((--left & 127) | 128)
    return bytes
  }

  it('costs what it unpacks to, though its base was dropped from memory and made again', async () => {
    const parts = [Buffer.from('PACK\0\0\0\x02\0\0\0\x05', 'latin1'), entry(3, Buffer.alloc(length))]
    const offsets = [12]
    // The last one leads back to the first delta, and memory holds no two objects of this size.
    for (const [at, base] of [0, 1, 2, 1].entries()) {
      const offset = parts.reduce((sum, part) => sum + part.length, 0)
      offsets.push(offset)
      parts.push(entry(6, change(at + 1), back(offset - (offsets[base] ?? 0))))
    }
    const pack = Buffer.concat([...parts, Buffer.alloc(20)])
    const all = 5 * length + 4 * change(1).length
    const index = (maxInflated: number) => reading(pack, reader => indexPack(reader, { maxObject: length, maxInflated, maxObjects: 10 }))
    expect((await index(all)).entries).toHaveLength(5)
    await expect(index(all - 1)).rejects.toMatchObject({ code: 'too_large' })
  })
})
