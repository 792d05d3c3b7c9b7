import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PackReader, type PackSource } from '../pack-reader.ts'

/** Entry types of a pack by name. */
export const entryTypes = { commit: 1, tree: 2, blob: 3, tag: 4, offsetDelta: 6, refDelta: 7 } as const

/** A pack source in memory. */
export function sourceOf(pack: Buffer): PackSource {
  return {
    bytes: pack.length,
    read: async (target, position) => pack.copy(target, 0, position, position + target.length),
  }
}

export function readerOf(pack: Buffer): PackReader {
  return new PackReader(sourceOf(pack), { readAhead: 64 * 1024 })
}

/** Encodes a number as in delta headers: groups of seven bits, the lowest first. */
export function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
}

/** Encodes an entry header: the type and the declared size. */
export function entryHeader(type: number, size: number): Buffer {
  const first = (type << 4) | (size & 15)
  return Buffer.from(size < 16 ? [first] : [first | 128, ...varint(Math.floor(size / 16))])
}

/** Encodes the distance to the base of a delta (OFS_DELTA). */
export function distanceBytes(distance: number): number[] {
  const bytes = [distance % 128]
  for (let left = Math.floor(distance / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((--left % 128) | 128)
  return bytes
}

/** Encodes an entry; `base` is the encoded base reference of a delta. */
export function entry(type: number, data: Buffer, base: readonly number[] = []): Buffer {
  return Buffer.concat([entryHeader(type, data.length), Buffer.from(base), deflateSync(data)])
}

/** Encodes a pack of these entries with a correct trailer; `count` and `version` may be false. */
export function packOf(entries: readonly Buffer[], { count = entries.length, version = 2 } = {}): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK', 'latin1')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(count >>> 0, 8)
  return withTrailer(Buffer.concat([head, ...entries]))
}

/** Appends the SHA-1 of the bytes: the trailer of packs and indexes. */
export function withTrailer(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
}

/** Computes the id of an object: the SHA-1 of its header and content. */
export function objectId(type: string, data: Buffer): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
}

/** The instructions of a delta: copy `size` bytes from `from`, in full or in git's short form; insert up to 127 bytes. */
export const instruction = {
  shortCopy: (from: number, size: number): number[] => {
    const fields = [
      from,
      from >>> 8,
      from >>> 16,
      from >>> 24,
      ...(size === 0x10000 ? [] : [size, size >>> 8, size >>> 16]),
    ].map(value => value & 255)
    return [
      fields.reduce((code, value, bit) => (value ? code | (1 << bit) : code), 128),
      ...fields.filter(value => value > 0),
    ]
  },
  copy: (from: number, size: number): number[] => [
    0xff,
    ...[0, 8, 16, 24].map(shift => (from >>> shift) & 255),
    ...[0, 8, 16].map(shift => (size >>> shift) & 255),
  ],
  insert: (bytes: readonly number[]): number[] => [bytes.length, ...bytes],
}

/** Encodes a delta: the declared sizes and the instructions. */
export function delta(sizes: { base: number; result: number }, ...instructions: number[][]): Buffer {
  return Buffer.from([...varint(sizes.base), ...varint(sizes.result), ...instructions.flat()])
}
