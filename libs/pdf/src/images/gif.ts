import { maxDecodedPixels, writePng } from './png.ts'

interface Frame {
  left: number
  top: number
  width: number
  height: number
  isInterlaced: boolean
  palette: Buffer
  transparent: number | undefined
  /** The smallest size of a code, and the codes. */
  codeSize: number
  data: Buffer
}

/** The first picture of a GIF on white, as a PNG. Throws when it is broken. */
export function gifToPng(bytes: Buffer): { png: Buffer; width: number; height: number } {
  const size = gifSize(bytes)
  if (size.width * size.height > maxDecodedPixels) throw new Error('has too many pixels')
  const frame = readFrame(bytes)
  const stride = size.width * 3 + 1
  const pixels = Buffer.alloc(stride * size.height, 255)
  const rows = rowOrder(frame)
  let column = 0
  let row = 0
  for (const index of indexes(frame)) {
    const x = frame.left + column
    const y = frame.top + (rows[row] ?? 0)
    if (index !== frame.transparent && x < size.width && y < size.height)
      frame.palette.copy(pixels, y * stride + 1 + x * 3, index * 3, index * 3 + 3)
    column++
    if (column < frame.width) continue
    column = 0
    row++
    if (row >= frame.height) break
  }
  return { png: writePng(pixels, size), ...size }
}

/** The size in the head of a GIF. */
export function gifSize(bytes: Buffer): { width: number; height: number } {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (size.width === 0 || size.height === 0) throw new Error('is empty')
  return size
}

function readFrame(bytes: Buffer): Frame {
  const global = paletteBytes(bytes[10] ?? 0)
  const shared = bytes.subarray(13, 13 + global)
  let transparent: number | undefined
  for (let at = 13 + global; at < bytes.length;) {
    if (bytes[at] === 0x2c) return imageAt(bytes, at, { shared, transparent })
    if (bytes[at] !== 0x21) break
    const isControl = bytes[at + 1] === 0xf9
    if (isControl && (bytes[at + 3] ?? 0) & 1) transparent = bytes[at + 6]
    at = blocksAt(bytes, at + 2).end
  }
  throw new Error('has no picture')
}

function imageAt(
  bytes: Buffer,
  at: number,
  { shared, transparent }: { shared: Buffer; transparent: number | undefined },
): Frame {
  const flags = bytes[at + 9] ?? 0
  const local = paletteBytes(flags)
  const start = at + 10 + local
  const { data } = blocksAt(bytes, start + 1)
  return {
    left: bytes.readUInt16LE(at + 1),
    top: bytes.readUInt16LE(at + 3),
    width: bytes.readUInt16LE(at + 5),
    height: bytes.readUInt16LE(at + 7),
    isInterlaced: (flags & 0x40) !== 0,
    palette: local > 0 ? bytes.subarray(at + 10, start) : shared,
    transparent,
    codeSize: bytes[start] ?? 0,
    data: Buffer.concat(data),
  }
}

/** Returns the bytes of the color table that the flags announce; 0 without one. */
function paletteBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Blocks of bytes, each behind its length, up to an empty one. */
function blocksAt(bytes: Buffer, start: number): { data: Buffer[]; end: number } {
  const data: Buffer[] = []
  let at = start
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    data.push(bytes.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  return { data, end: at + 1 }
}

function rowOrder({ height, isInterlaced }: Frame): number[] {
  const all = Array.from({ length: height }, (_, row) => row)
  if (!isInterlaced) return all
  const starts: [number, number][] = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ]
  return starts.flatMap(([first, step]) => all.filter(row => row >= first && (row - first) % step === 0))
}

/** The indexes of colours, unpacked. */
function* indexes({ codeSize, data }: Frame): Generator<number> {
  const table = new CodeTable(codeSize)
  let bits = 0
  let count = 0
  for (const byte of data) {
    bits |= byte << count
    count += 8
    while (count >= table.bits) {
      const code = bits & ((1 << table.bits) - 1)
      const size = table.bits
      bits >>= size
      count -= size
      if (code === table.end) return
      yield* table.read(code)
    }
  }
}

/** Codes of LZW have at most 12 bits. */
const maxCodes = 4096

/** The strings that codes stand for (LZW), each of which follows from the codes before. */
class CodeTable {
  readonly end: number
  readonly #first: number
  readonly #before = new Uint16Array(maxCodes)
  readonly #last = new Uint8Array(maxCodes)
  readonly #stack = new Uint8Array(maxCodes + 1)
  #next = 0
  #previous = -1
  #color = 0
  /** Bits of the next code. */
  bits = 0

  constructor(size: number) {
    if (size < 1 || size > 11) throw new Error('is broken')
    this.#first = 1 << size
    this.end = this.#first + 1
    for (let code = 0; code < this.#first; code++) this.#last[code] = code
    this.#clear()
  }

  /** The colours of a code. */
  read(code: number): Uint8Array {
    if (code === this.#first) return this.#clear()
    if (code > this.#next || (this.#previous < 0 && code >= this.#first)) throw new Error('is broken')
    let depth = this.#stack.length
    let at = code
    // The code that is being made: what came before, and its first colour again.
    if (code === this.#next) {
      this.#stack[--depth] = this.#color
      at = this.#previous
    }
    for (; at >= this.#first; at = this.#before[at] ?? 0) this.#stack[--depth] = this.#last[at] ?? 0
    this.#color = this.#last[at] ?? 0
    this.#stack[--depth] = this.#color
    this.#add()
    this.#previous = code
    return this.#stack.subarray(depth)
  }

  #add(): void {
    if (this.#previous < 0 || this.#next >= maxCodes) return
    this.#before[this.#next] = this.#previous
    this.#last[this.#next++] = this.#color
    if (this.#next === 1 << this.bits && this.bits < 12) this.bits++
  }

  #clear(): Uint8Array {
    this.#next = this.end + 1
    this.bits = Math.log2(this.#first) + 1
    this.#previous = -1
    return new Uint8Array(0)
  }
}
