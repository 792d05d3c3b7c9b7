import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The HTML of a page in which each answer has a nonce of its own; compressed once, whatever the nonce. */
export interface PageText {
  /** Memory that it takes. */
  bytes: number
  /** The page with a nonce, in chunks: all but the nonce are the same memory for all visitors, however slowly they read. */
  plain(nonce: string): Buffer[]
  /** The same in the gzip format. */
  gzip(nonce: string): Buffer[]
}

interface Part {
  text: Buffer
  /** Blocks of DEFLATE that end at a byte, none of them the last one. */
  blocks: Buffer
}

/** Deflated, no flags, no time, unknown system (RFC 1952, 2.3). */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block that is the last one. */
const lastBlock = Buffer.from([3, 0])

/** Splits a page at the text that stands for its nonce. */
export function pageText(html: string, placeholder: string): PageText {
  const parts = html.split(placeholder).map((part): Part => {
    const text = Buffer.from(part)
    return { text, blocks: deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }) }
  })
  return {
    bytes: parts.reduce((sum, { text, blocks }) => sum + text.length + blocks.length, 0),
    plain: nonce => {
      const between = Buffer.from(nonce)
      return parts.flatMap(({ text }, at) => (at === 0 ? [text] : [between, text]))
    },
    gzip: nonce => gzipOf(parts, Buffer.from(nonce)),
  }
}

function gzipOf(parts: readonly Part[], nonce: Buffer): Buffer[] {
  const stored = storedBlock(nonce)
  const chunks: Buffer[] = [header]
  let sum = 0
  let length = 0
  for (const [at, { text, blocks }] of parts.entries()) {
    if (at > 0) {
      chunks.push(stored)
      sum = checksum(nonce, sum)
      length += nonce.length
    }
    chunks.push(blocks)
    sum = checksum(text, sum)
    length += text.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return [...chunks, lastBlock, trailer]
}

/** The checksum of what was and of text behind it; zlib takes an empty text for a new start. */
function checksum(text: Buffer, before: number): number {
  return text.length === 0 ? before : crc32(text, before)
}

/** A block of text as it is (RFC 1951, 3.2.4). */
function storedBlock(text: Buffer): Buffer {
  const start = Buffer.alloc(5)
  start.writeUInt16LE(text.length, 1)
  start.writeUInt16LE(0xffff - text.length, 3)
  return Buffer.concat([start, text])
}
