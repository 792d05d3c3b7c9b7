import { createHash } from 'node:crypto'
import { GitPackError } from './git-pack-error.ts'

/** An object's offset in its pack and the CRC-32 of its entry. */
export interface IndexEntry {
  oid: string
  offset: number
  crc: number
}

/** Looks up objects in the index of a pack. */
export interface PackIndex {
  /** The offset of an object and of the next entry or the trailer; for a duplicated object, those of its first entry. */
  find(oid: string): { offset: number; end: number } | undefined
  /** The end of the entry that starts at an offset; undefined when none starts there. */
  endOf(offset: number): number | undefined
  count: number
  /** The checksum of the pack that the index belongs to. */
  packChecksum: Buffer
}

const magic = 0xff744f63
const headerBytes = 8 + 256 * 4
const hashBytes = 20
const packHeaderBytes = 12
const largeOffset = 0x80000000

/** Encodes an index of version 2, gitformat-pack(5), which native git can read. */
export function encodeIndex(entries: IndexEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => (a.oid < b.oid ? -1 : Number(a.oid > b.oid)))
  const large = sorted.filter(({ offset }) => offset >= largeOffset)
  const bytes = Buffer.alloc(headerBytes + sorted.length * 28 + large.length * 8 + 2 * hashBytes)
  let at = bytes.writeUInt32BE(2, bytes.writeUInt32BE(magic, 0))
  const counts = new Array<number>(256).fill(0)
  for (const { oid } of sorted) incrementAt(counts, Number.parseInt(oid.slice(0, 2), 16))
  let total = 0
  for (const count of counts) at = bytes.writeUInt32BE((total += count), at)
  for (const { oid } of sorted) at += bytes.write(oid, at, 'hex')
  for (const { crc } of sorted) at = bytes.writeUInt32BE(crc, at)
  let larger = 0
  for (const { offset } of sorted) at = bytes.writeUInt32BE(offset < largeOffset ? offset : largeOffset + larger++, at)
  for (const { offset } of large) at = bytes.writeBigUInt64BE(BigInt(offset), at)
  at += packChecksum.copy(bytes, at)
  createHash('sha1').update(bytes.subarray(0, at)).digest().copy(bytes, at)
  return bytes
}

function incrementAt(counts: number[], at: number) {
  counts[at] = (counts[at] ?? 0) + 1
}

/**
 * Decodes and verifies an index of version 2. `packBytes` is the size of its pack; the last entry ends at the pack's trailer. Throws a
 * `GitPackError` when the index is invalid or of another version.
 */
export function decodeIndex(bytes: Buffer, packBytes: number): PackIndex {
  const count = checkShape(bytes)
  checkNames(bytes, count)
  const offsets = readOffsets(bytes, count)
  const starts = offsets.toSorted()
  checkStarts(starts, packBytes)
  const endOf = (offset: number) => {
    const position = search(count, middle => offset - (starts[middle] ?? 0))
    return starts[position] === offset ? (starts[position + 1] ?? packBytes - hashBytes) : undefined
  }
  return {
    count,
    packChecksum: bytes.subarray(-2 * hashBytes, -hashBytes),
    endOf,
    find(oid) {
      const name = Buffer.from(oid, 'hex')
      if (name.length !== hashBytes) return undefined
      const position = search(count, middle => -compareName(bytes, middle, name))
      if (position === count || compareName(bytes, position, name) !== 0) return undefined
      const offset = offsets[position] ?? 0
      return { offset, end: endOf(offset) ?? packBytes - hashBytes }
    },
  }
}

/** Verifies header, size and checksum; returns the number of objects. */
function checkShape(bytes: Buffer): number {
  if (bytes.length < headerBytes + 2 * hashBytes) throw invalidIndex('is cut off')
  if (bytes.readUInt32BE(0) !== magic || bytes.readUInt32BE(4) !== 2)
    throw new GitPackError('unsupported', 'The pack index is not of version 2')
  const count = bytes.readUInt32BE(headerBytes - 4)
  const large = bytes.length - headerBytes - count * 28 - 2 * hashBytes
  if (large < 0 || large % 8 !== 0 || large > Math.max(0, count - 1) * 8) throw invalidIndex('has the wrong size')
  const checksum = createHash('sha1').update(bytes.subarray(0, -hashBytes)).digest()
  if (!checksum.equals(bytes.subarray(-hashBytes))) throw invalidIndex('does not match its checksum')
  return count
}

/** Verifies that names are sorted and that the fan-out table counts them. */
function checkNames(bytes: Buffer, count: number): void {
  const counts = new Array<number>(256).fill(0)
  for (let position = 0; position < count; position++) {
    const name = headerBytes + position * hashBytes
    incrementAt(counts, bytes[name] ?? 0)
    if (position > 0 && bytes.compare(bytes, name, name + hashBytes, name - hashBytes, name) > 0)
      throw invalidIndex('has names out of order')
  }
  let total = 0
  for (const [first, number] of counts.entries()) {
    if (bytes.readUInt32BE(8 + first * 4) !== (total += number)) throw invalidIndex('counts its names wrongly')
  }
}

function readOffsets(bytes: Buffer, count: number): Float64Array {
  const small = headerBytes + count * 24
  const large = small + count * 4
  const larger = (bytes.length - 2 * hashBytes - large) / 8
  let used = 0
  const offsets = Float64Array.from({ length: count }, (_, position) => {
    const value = bytes.readUInt32BE(small + position * 4)
    if (value < largeOffset) return value
    // Git reads large offsets in this order to compute entry sizes, and by their number to read entries: both have to agree.
    if (value !== largeOffset + used || used === larger) throw invalidIndex('refers to large offsets out of order')
    return Number(bytes.readBigUInt64BE(large + used++ * 8))
  })
  if (used < larger) throw invalidIndex('has large offsets that nothing refers to')
  return offsets
}

function checkStarts(starts: Float64Array, packBytes: number): void {
  for (const [position, start] of starts.entries()) {
    if (start < packHeaderBytes || start >= packBytes - hashBytes)
      throw invalidIndex('has an offset outside of its pack')
    if (start === starts[position + 1]) throw invalidIndex('has two names for one entry')
  }
}

function compareName(bytes: Buffer, position: number, target: Buffer): number {
  const name = headerBytes + position * hashBytes
  return bytes.compare(target, 0, hashBytes, name, name + hashBytes)
}

/** Binary search for the first position not before the target; `order` is positive for a position before it. */
function search(count: number, order: (position: number) => number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(middle) > 0) low = middle + 1
    else high = middle
  }
  return low
}

function invalidIndex(what: string): GitPackError {
  return new GitPackError('invalid', `The pack index ${what}`)
}
