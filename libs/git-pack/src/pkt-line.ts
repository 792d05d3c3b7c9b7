import { GitPackError } from './git-pack-error.ts'

/** One packet of git's wire format, gitprotocol-common(5): its payload, or one of the packets that have none. */
export type Packet = Uint8Array | 'flush' | 'delimiter' | 'response-end'

const special = { 0: 'flush', 1: 'delimiter', 2: 'response-end' } as const

/** Git takes lengths of at most this many bytes, the four digits included, and sends fewer. */
const maxLength = 65_523

/** Frames a line for the wire: four hex digits of length, then the text, of at most 65,516 bytes. */
export function packet(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

/** The packet that ends a part of a conversation. */
export const flush = '0000'

/** Cuts a byte stream into packets. A stream that ends inside one is refused. */
export async function* readPackets(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Packet> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk])
    let at = 0
    for (let size = lengthAt(rest, at); size !== undefined; size = lengthAt(rest, at)) {
      yield size === 0 || size === 1 || size === 2 ? special[size] : rest.subarray(at + 4, at + size)
      at += Math.max(size, 4)
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new GitPackError('invalid', 'The answer of the git server ended too early')
}

/** The length of the packet at a position, its header included, once it is wholly there. */
function lengthAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.length < at + 4) return undefined
  const digits = bytes.toString('latin1', at, at + 4)
  const size = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (size <= 2) return size
  if (Number.isNaN(size) || size < 4 || size > maxLength) throw new GitPackError('invalid', 'The server does not speak the git protocol')
  return bytes.length < at + size ? undefined : size
}
