import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PackReader, type PackSource } from '../pack-reader.ts'

/** Entry types of a pack by name. */
export const entryTypes = { commit: 1, tree: 2, blob: 3, tag: 4, offsetDelta: 6, refDelta: 7 } as const

/** A pack in memory as a source. */
export function sourceOf(pack: Buffer): PackSource {
  return {
    bytes: pack.length,
    read: async (target, position) => pack.copy(target, 0, position, position + target.length),
  }
}

export function readerOf(pack: Buffer): PackReader {
  return new PackReader(sourceOf(pack), { readAhead: 64 * 1024 })
}

/** A number as deltas hold it: seven bits at a time, the lowest first. */
export function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
}

/** The header of an entry: its type and the size that it declares. */
export function entryHeader(type: number, size: number): Buffer {
  const first = (type << 4) | (size & 15)
  return Buffer.from(size < 16 ? [first] : [first | 128, ...varint(Math.floor(size / 16))])
}

/** How far back the base of a delta is. */
export function distanceBytes(distance: number): number[] {
  const bytes = [distance % 128]
  for (let left = Math.floor(distance / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((--left % 128) | 128)
  return bytes
}

/** A whole entry: `base` is what comes before the data of a delta. */
export function entry(type: number, data: Buffer, base: readonly number[] = []): Buffer {
  return Buffer.concat([entryHeader(type, data.length), Buffer.from(base), deflateSync(data)])
}

/** A pack of these entries with the right trailer; `count` and `version` may lie. */
export function packOf(entries: readonly Buffer[], { count = entries.length, version = 2 } = {}): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK', 'latin1')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(count >>> 0, 8)
  return withTrailer(Buffer.concat([head, ...entries]))
}

/** Appends the SHA-1 of the bytes, as packs and indexes end. */
export function withTrailer(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
}

/** The id of an object. */
export function objectId(type: string, data: Buffer): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
}

/** The instructions of a delta: copy `size` bytes from `from`, in full or as short as git writes it; insert up to 127 bytes. */
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

/** A delta from instructions, with the sizes that it declares. */
export function delta(sizes: { base: number; result: number }, ...instructions: number[][]): Buffer {
  return Buffer.from([...varint(sizes.base), ...varint(sizes.result), ...instructions.flat()])
}
