import { GitPackError } from './git-pack-error.ts'

/** A pkt-line of gitprotocol-common(5): its payload, or a special packet without one. */
export type Packet = Uint8Array | 'flush' | 'delimiter' | 'response-end'

const special: Record<string, Packet & string> = { '0000': 'flush', '0001': 'delimiter', '0002': 'response-end' }

/** The largest packet in bytes that git accepts, the four digits of the length included; git sends smaller ones. */
const maxLength = 65_523

/** Encodes a pkt-line: four hex digits of length, then the text, of at most 65,516 bytes. */
export function packet(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

/** The flush packet, which ends a section of the protocol. */
export const flush = '0000'

/** The packet between the sections of a message in protocol version 2. */
export const delimiter = '0001'

/** Splits a byte stream into packets. Throws a `GitPackError` (`invalid`) when the stream ends inside a packet. */
export async function* readPackets(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Packet> {
  let parts: Uint8Array[] = []
  let held = 0
  let needed = 4
  for await (const chunk of stream) {
    parts.push(chunk)
    held += chunk.length
    // Chunks are concatenated once per packet, so that many small chunks cost linear time.
    if (held < needed) continue
    const bytes = Buffer.concat(parts)
    let at = 0
    for (needed = lengthAt(bytes, at); at + needed <= held; needed = lengthAt(bytes, at)) {
      yield packetAt(bytes, at, needed)
      at += needed
    }
    parts = [bytes.subarray(at)]
    held -= at
  }
  if (held > 0) throw new GitPackError('invalid', 'The answer of the git server ended too early')
}

function packetAt(bytes: Buffer, at: number, length: number): Packet {
  const name = special[bytes.toString('latin1', at, at + 4)]
  return name ?? bytes.subarray(at + 4, at + length)
}

/** The size of the packet at a position in bytes; four when its length has not arrived yet. */
function lengthAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 4)
  if (digits.length < 4 || special[digits]) return 4
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
  if (length < 4 || length > maxLength) throw new GitPackError('invalid', 'The server does not speak the git protocol')
  return length
}
