import { GitPackError, invalidPack } from './git-pack-error.ts'

/** The types of git objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** The header of an entry in a pack: `size` is that of the inflated data, which starts `length` bytes after the entry. */
export interface EntryHeader {
  type: ObjectType | 'delta'
  size: number
  length: number
  /** The base of a delta: its distance back in the pack (OFS_DELTA) or its object id (REF_DELTA). */
  base?: { distance: number } | { oid: string }
}

/** The longest supported delta chain; git itself writes at most 4,095. */
export const maxDeltaDepth = 10_000

/** The smallest delta in bytes that git accepts. */
const minDelta = 4

/** The largest size of an entry header in bytes. */
export const maxHeader = 64

const types: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }

/** Parses an entry header, gitformat-pack(5). */
export function readEntryHeader(bytes: Buffer): EntryHeader {
  const first = byteAt(bytes, 0)
  const kind = (first >> 4) & 7
  const { value, at } = first & 0x80 ? varint(bytes, 1, { value: first & 15, shift: 4 }) : { value: first & 15, at: 1 }
  const type = types[kind]
  if (type) return { type, size: value, length: at }
  if (kind === 6) {
    const { distance, end } = readDistance(bytes, at)
    return { type: 'delta', size: value, length: end, base: { distance } }
  }
  if (kind === 7 && bytes.length < at + 20) throw invalidPack('an entry that is cut off')
  if (kind === 7)
    return { type: 'delta', size: value, length: at + 20, base: { oid: bytes.toString('hex', at, at + 20) } }
  throw invalidPack('an entry of unknown type')
}

/** Parses the header of a delta: the declared sizes of base and result, and the offset of its instructions. */
export function readDeltaSizes(delta: Buffer): { base: number; result: number; at: number } {
  const what = 'a delta whose sizes are cut off'
  const base = varint(delta, 0, { what })
  const result = varint(delta, base.at, { what })
  return { base: base.value, result: result.value, at: result.at }
}

/** Applies a delta to its base. Throws a `GitPackError` (`invalid`) on a copy outside the base or a result of the wrong size. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  if (delta.length < minDelta) throw invalidPack('a delta that is too short')
  const sizes = readDeltaSizes(delta)
  if (sizes.base !== base.length) throw invalidPack('a delta for another base')
  const result = Buffer.allocUnsafe(sizes.result)
  let at = sizes.at
  let length = 0
  while (at < delta.length) {
    const step = readInstruction(delta, at)
    const source = step.copy ? base : delta
    if (step.from + step.size > source.length || length + step.size > result.length)
      throw invalidPack('a delta that reaches out of bounds')
    source.copy(result, length, step.from, step.from + step.size)
    length += step.size
    at = step.end
  }
  if (length !== result.length) throw invalidPack('a delta of the wrong size')
  return result
}

interface Instruction {
  copy: boolean
  from: number
  size: number
  end: number
}

function readInstruction(delta: Buffer, at: number): Instruction {
  const code = byteAt(delta, at, 'a delta that is cut off')
  if (code === 0) throw invalidPack('a delta with a reserved instruction')
  if (code < 0x80) return { copy: false, from: at + 1, size: code, end: at + 1 + code }
  let end = at + 1
  const fields = [0, 1, 2, 3, 4, 5, 6].map(bit =>
    code & (1 << bit) ? byteAt(delta, end++, 'a delta that is cut off') : 0,
  )
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = fields
  return {
    copy: true,
    from: a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24,
    size: e + f * 2 ** 8 + g * 2 ** 16 || 0x10000,
    end,
  }
}

function varint(
  bytes: Buffer,
  start: number,
  { value = 0, shift = 0, what = 'an entry that is cut off' },
): { value: number; at: number } {
  for (let at = start; shift < 56; at++, shift += 7) {
    const byte = byteAt(bytes, at, what)
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80 && Number.isSafeInteger(value)) return { value, at: at + 1 }
  }
  throw new GitPackError('unsupported', 'The pack holds a number of more bytes than any number needs')
}

function readDistance(bytes: Buffer, start: number): { distance: number; end: number } {
  let at = start
  let byte = byteAt(bytes, at++)
  let distance = byte & 0x7f
  while (byte & 0x80) {
    byte = byteAt(bytes, at++)
    distance = (distance + 1) * 128 + (byte & 0x7f)
    if (!Number.isSafeInteger(distance)) throw invalidPack('a distance that is too long')
  }
  return { distance, end: at }
}

function byteAt(bytes: Buffer, at: number, what = 'an entry that is cut off'): number {
  const byte = bytes[at]
  if (byte === undefined) throw invalidPack(what)
  return byte
}
