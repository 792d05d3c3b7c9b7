import { deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The head of a PNG. */
export interface PngHead {
  width: number
  height: number
  depth: number
  color: number
  isInterlaced: boolean
  /** Whether some of it is transparent, so that it has to be decoded. */
  hasAlpha: boolean
}

interface Chunks {
  head: PngHead
  data: Buffer[]
  palette: Buffer | undefined
  transparency: Buffer | undefined
}

/** Bytes behind the pixels, which some programs write. */
const spare = 65_536
/** Pixels that are decoded: what is larger is not shown. */
export const maxDecodedPixels = 16_000_000

/** The parts of a PNG. Throws when it is none, or is cut off. */
export function readPng(bytes: Buffer): Chunks {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('is no PNG')
  const data: Buffer[] = []
  let palette: Buffer | undefined
  let transparency: Buffer | undefined
  let header: Buffer | undefined
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    if (chunk.length < length) throw new Error('is cut off')
    if (type === 'IHDR') header = chunk
    else if (type === 'PLTE') palette = chunk
    else if (type === 'tRNS') transparency = chunk
    else if (type === 'IDAT') data.push(chunk)
    else if (type === 'IEND') break
    at += 12 + length
  }
  if (!header || header.length < 13 || data.length === 0) throw new Error('is cut off')
  const color = header[9] ?? 0
  const hasAlpha = color === 4 || color === 6 || transparency !== undefined
  const head = {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    depth: header[8] ?? 0,
    color,
    hasAlpha,
    isInterlaced: header[12] === 1,
  }
  if (head.width === 0 || head.height === 0) throw new Error('is empty')
  return { head, data, palette, transparency }
}

const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Returns the same picture on white, without transparency and not interlaced. Throws when it is broken, of an unknown kind or has more than
 * `maxDecodedPixels` pixels.
 */
export function flattenPng(bytes: Buffer): Buffer {
  const chunks = readPng(bytes)
  const { head, data } = chunks
  const samples = samplesOf[head.color]
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(head.depth)) throw new Error('is of an unknown kind')
  if (head.width * head.height > maxDecodedPixels) throw new Error('has too many pixels')
  const passes = head.isInterlaced ? interlaced(head) : [{ x: 0, y: 0, dx: 1, dy: 1, ...head }]
  const rowBytes = (width: number) => Math.ceil((width * samples * head.depth) / 8)
  const size = passes.reduce((sum, pass) => sum + pass.height * (1 + rowBytes(pass.width)), 0)
  // A bomb grows beyond what its head says, and ends here.
  const raw = inflateSync(Buffer.concat(data), { maxOutputLength: size + spare })
  if (raw.length < size) throw new Error('is cut off')
  const stride = head.width * 3 + 1
  const pixels = Buffer.alloc(stride * head.height)
  const step = Math.max(1, (samples * head.depth) >> 3)
  let at = 0
  for (const pass of passes) {
    let before: Buffer = Buffer.alloc(rowBytes(pass.width))
    for (let row = 0; row < pass.height; row++) {
      const line = raw.subarray(at + 1, at + 1 + before.length)
      unfilter(raw[at] ?? 0, { line, before, step })
      blend(line, { chunks, pass, pixels, at: (pass.y + row * pass.dy) * stride + 1 })
      before = line
      at += 1 + before.length
    }
  }
  return writePng(pixels, head)
}

interface Pass {
  x: number
  y: number
  dx: number
  dy: number
  width: number
  height: number
}

/** The seven pictures of Adam7. */
function interlaced({ width, height }: PngHead): Pass[] {
  const starts = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ]
  return starts
    .map(([x = 0, y = 0, dx = 1, dy = 1]) => ({
      x,
      y,
      dx,
      dy,
      width: Math.ceil((width - x) / dx),
      height: Math.ceil((height - y) / dy),
    }))
    .filter(pass => pass.width > 0 && pass.height > 0)
}

function unfilter(filter: number, { line, before, step }: { line: Buffer; before: Buffer; step: number }): void {
  for (let at = 0; filter !== 0 && at < line.length; at++) {
    const left = at >= step ? (line[at - step] ?? 0) : 0
    const above = before[at] ?? 0
    const corner = at >= step ? (before[at - step] ?? 0) : 0
    const added =
      filter === 1 ? left : filter === 2 ? above : filter === 3 ? (left + above) >> 1 : paeth(left, above, corner)
    line[at] = ((line[at] ?? 0) + added) & 255
  }
}

function paeth(left: number, above: number, corner: number): number {
  const base = left + above - corner
  const a = Math.abs(base - left)
  const b = Math.abs(base - above)
  const c = Math.abs(base - corner)
  return a <= b && a <= c ? left : b <= c ? above : corner
}

interface Target {
  chunks: Chunks
  pass: Pass
  pixels: Buffer
  at: number
}

function blend(line: Buffer, { chunks, pass, pixels, at }: Target): void {
  const { head } = chunks
  if (head.color === 6 && head.depth === 8) return blendRgba(line, { pass, pixels, at })
  const read = sampleReader(line, head.depth)
  const colorOf = colorReader(chunks, read)
  for (let column = 0; column < pass.width; column++) {
    const [red, green, blue, alpha] = colorOf(column)
    const place = at + (pass.x + column * pass.dx) * 3
    pixels[place] = 255 + ((red - 255) * alpha) / 255
    pixels[place + 1] = 255 + ((green - 255) * alpha) / 255
    pixels[place + 2] = 255 + ((blue - 255) * alpha) / 255
  }
}

/** The usual case, without a call for each pixel. */
function blendRgba(line: Buffer, { pass, pixels, at }: Omit<Target, 'chunks'>): void {
  for (let column = 0, from = 0; column < pass.width; column++, from += 4) {
    const place = at + (pass.x + column * pass.dx) * 3
    const alpha = (line[from + 3] ?? 0) / 255
    const white = 255 * (1 - alpha)
    pixels[place] = white + (line[from] ?? 0) * alpha
    pixels[place + 1] = white + (line[from + 1] ?? 0) * alpha
    pixels[place + 2] = white + (line[from + 2] ?? 0) * alpha
  }
}

function sampleReader(line: Buffer, depth: number): (index: number) => number {
  if (depth === 8) return index => line[index] ?? 0
  if (depth === 16) return index => line[index * 2] ?? 0
  const perByte = 8 / depth
  const mask = (1 << depth) - 1
  return index => ((line[Math.floor(index / perByte)] ?? 0) >> (8 - depth * ((index % perByte) + 1))) & mask
}

type Color = readonly [red: number, green: number, blue: number, alpha: number]

function colorReader(
  { head, palette, transparency }: Chunks,
  read: (index: number) => number,
): (column: number) => Color {
  const { color, depth } = head
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const clear = (at: number) => (depth === 16 ? transparency?.[at * 2] : transparency?.[at * 2 + 1])
  const hasKey = transparency !== undefined
  switch (color) {
    case 3:
      return column => {
        const index = read(column)
        const part = (offset: number) => palette?.[index * 3 + offset] ?? 0
        return [part(0), part(1), part(2), transparency?.[index] ?? 255]
      }
    case 0:
      return column => {
        const gray = read(column)
        return [gray * scale, gray * scale, gray * scale, hasKey && gray === clear(0) ? 0 : 255]
      }
    case 4:
      return column => [read(column * 2), read(column * 2), read(column * 2), read(column * 2 + 1)]
    case 2:
      return column => {
        const red = read(column * 3)
        const green = read(column * 3 + 1)
        const blue = read(column * 3 + 2)
        return [red, green, blue, hasKey && red === clear(0) && green === clear(1) && blue === clear(2) ? 0 : 255]
      }
    default:
      return column => [read(column * 4), read(column * 4 + 1), read(column * 4 + 2), read(column * 4 + 3)]
  }
}

/** A PNG of 8 bits and three colours; each row holds what differs from the one above, which compresses well. */
export function writePng(pixels: Buffer, { width, height }: Pick<PngHead, 'width' | 'height'>): Buffer {
  const stride = width * 3 + 1
  for (let row = height - 1; row >= 0; row--) {
    const start = row * stride
    pixels[start] = row === 0 ? 0 : 2
    for (let at = start + 1; row > 0 && at < start + stride; at++)
      pixels[at] = ((pixels[at] ?? 0) - (pixels[at - stride] ?? 0)) & 255
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The sums of chunks are not written: what embeds the picture does not read them. */
function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
