import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexPack } from './index-pack.ts'
import { PackReader } from './pack-reader.ts'

const invalid = expect.objectContaining({ code: 'invalid_repository' })
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
