import { createHash } from 'node:crypto'
import { invalidPack } from './git-pack-error.ts'

/** Where one object lies in its pack. */
export interface IndexEntry {
  oid: string
  offset: number
  crc: number
}

/** Looks objects up in the index of a pack. */
export interface PackIndex {
  /** Where the object starts and where the next entry, or the trailer, begins. */
  find(oid: string): { offset: number; end: number } | undefined
  endOf(offset: number): number | undefined
  count: number
}

const magic = 0xff744f63
const headerBytes = 8 + 256 * 4

/** Writes an index of version 2, gitformat-pack(5), so that git itself can read the cache. */
export function encodeIndex(entries: IndexEntry[], packSha: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => (a.oid < b.oid ? -1 : 1))
  const large = sorted.filter(({ offset }) => offset >= 0x80000000)
  const bytes = Buffer.alloc(headerBytes + sorted.length * 28 + large.length * 8 + 40)
  let at = bytes.writeUInt32BE(2, bytes.writeUInt32BE(magic, 0))
  const counts = new Array<number>(256).fill(0)
  for (const { oid } of sorted) bump(counts, Number.parseInt(oid.slice(0, 2), 16))
  let total = 0
  for (const count of counts) at = bytes.writeUInt32BE((total += count), at)
  for (const { oid } of sorted) at += bytes.write(oid, at, 'hex')
  for (const { crc } of sorted) at = bytes.writeUInt32BE(crc, at)
  for (const entry of sorted) at = bytes.writeUInt32BE(entry.offset < 0x80000000 ? entry.offset : 0x80000000 + large.indexOf(entry), at)
  for (const { offset } of large) at = bytes.writeBigUInt64BE(BigInt(offset), at)
  at += packSha.copy(bytes, at)
  createHash('sha1').update(bytes.subarray(0, at)).digest().copy(bytes, at)
  return bytes
}

function bump(counts: number[], at: number) {
  counts[at] = (counts[at] ?? 0) + 1
}

/** Reads an index of version 2. `packBytes` is the size of its pack; the last entry ends at the pack's trailer. */
export function decodeIndex(bytes: Buffer, packBytes: number): PackIndex {
  if (bytes.length < headerBytes + 40 || bytes.readUInt32BE(0) !== magic || bytes.readUInt32BE(4) !== 2) throw invalidPack('no index')
  const count = bytes.readUInt32BE(headerBytes - 4)
  const names = headerBytes
  const offsets = names + count * 24
  const offsetOf = (position: number) => {
    const value = bytes.readUInt32BE(offsets + position * 4)
    return value < 0x80000000 ? value : Number(bytes.readBigUInt64BE(offsets + count * 4 + (value - 0x80000000) * 8))
  }
  const starts = Float64Array.from({ length: count }, (_, position) => offsetOf(position)).sort()
  const endOf = (offset: number) => {
    const position = search(count, middle => (starts[middle] ?? 0) - offset)
    return position === undefined ? undefined : (starts[position + 1] ?? packBytes - 20)
  }
  return {
    count,
    endOf,
    find(oid) {
      const wanted = Buffer.from(oid, 'hex')
      const position = search(count, middle => bytes.compare(wanted, 0, 20, names + middle * 20, names + middle * 20 + 20))
      if (position === undefined) return undefined
      const offset = offsetOf(position)
      return { offset, end: endOf(offset) ?? packBytes - 20 }
    },
  }
}

/** Binary search: `compare` says where the middle lies from what is looked for. */
function search(count: number, compare: (middle: number) => number): number | undefined {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const order = compare(middle)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
