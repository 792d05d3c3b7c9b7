import { deflateSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { PackReader } from './pack-reader.ts'
import { readerOf, sourceOf } from './test/packs.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const size = 300_000
const deflated = deflateSync(Buffer.alloc(size, 'not too regular, '), { level: 0 })

/** A zlib stream with empty stored blocks before the data, far longer than its content. */
function padded(data: Buffer, blocks: number): Buffer {
  const whole = deflateSync(data, { level: 0 })
  const empty = Buffer.concat(Array.from({ length: blocks }, () => Buffer.from([0, 0, 0, 255, 255])))
  return Buffer.concat([whole.subarray(0, 2), empty, whole.subarray(2)])
}

describe('data that is skipped', () => {
  it('has its exact compressed length, whatever follows it', async () =>
    expect(await readerOf(Buffer.concat([deflated, Buffer.alloc(20)])).skip(0, size)).toBe(deflated.length))

  it.each([
    ['is cut off', deflated.subarray(0, -70_000), size],
    ['is nothing', Buffer.alloc(0), size],
    ['is something else', Buffer.alloc(100, 'x'), size],
    ['holds more than it says', deflated, size - 1],
    ['holds less than it says', deflated, size + 1],
  ])('breaks the pack when it %s', (_title, bytes, declared) =>
    expect(readerOf(bytes).skip(0, declared)).rejects.toEqual(invalid),
  )

  it('is left when the work is', () =>
    expect(readerOf(deflated).skip(0, size, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough'))
})

describe('data that is read', () => {
  const text = Buffer.from('hello')

  it.each([0, 1, 10, 1_000, 1_000_000])('may be compressed as badly as %s empty blocks', async blocks => {
    const stream = padded(text, blocks)
    expect(await readerOf(Buffer.concat([stream, Buffer.alloc(50, 7)])).inflate(0, 5)).toEqual({
      data: text,
      consumed: stream.length,
    })
  })

  it.each([
    ['is cut off', padded(text, 1_000).subarray(0, -3), 5],
    ['holds more than it says', padded(text, 1_000), 4],
    ['holds less than it says', padded(text, 1_000), 6],
    ['holds more than nothing', deflateSync(text), 0],
    ['needs a dictionary', deflateSync(text, { dictionary: Buffer.from('hello') }), 5],
    ['has the wrong checksum', Buffer.concat([deflateSync(text).subarray(0, -1), Buffer.from([1])]), 5],
  ])('breaks the pack when it %s', (_title, bytes, declared) =>
    expect(readerOf(bytes).inflate(0, declared)).rejects.toEqual(invalid),
  )

  it('is not read beyond a known end', () =>
    expect(
      readerOf(Buffer.concat([deflated, deflated])).inflate(0, size, { end: deflated.length - 1 }),
    ).rejects.toEqual(invalid))
})

describe('a source', () => {
  it('may return fewer bytes than requested', async () => {
    const pack = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 256))
    const { bytes, read } = sourceOf(pack)
    const slow = new PackReader({ bytes, read: (target, position) => read(target.subarray(0, 7), position) })
    expect(await slow.at(100, 300)).toEqual(pack.subarray(100, 400))
  })

  it('has nothing beyond its end', async () => {
    expect(await readerOf(Buffer.alloc(10)).at(8, 100)).toEqual(Buffer.alloc(2))
    expect(await readerOf(Buffer.alloc(10)).at(11, 100)).toEqual(Buffer.alloc(0))
  })
})
