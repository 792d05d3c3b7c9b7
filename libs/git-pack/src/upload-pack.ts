import { GitPackError } from './git-pack-error.ts'
import { flush, packet, readPackets, type Packet } from './pkt-line.ts'

/** What to ask for: one commit without its history; or, with `haves`, what came after commits that are here already. */
export interface FetchRequest {
  want: string
  haves: string[]
  /** Commits whose parents are not here. */
  shallow: string[]
  /** What the server advertised. */
  capabilities: ReadonlySet<string>
  /** Names the client to the server; no spaces. */
  agent: string
}

/** What a pack may cost while it arrives. */
export interface ReceiveOptions {
  shallow: readonly string[]
  maxBytes: number
  /** Called with the bytes so far. */
  onBytes?(bytes: number): void
}

/** A pack that has arrived; what it holds is verified when it is indexed. */
export interface ReceivedPack {
  bytes: number
  /** Commits whose parents are not here, after this fetch. */
  shallow: string[]
}

/** The body of a request to git-upload-pack, protocol versions 0 and 1 of gitprotocol-pack(5). */
export function encodeFetchRequest({ want, haves, shallow, capabilities, agent }: FetchRequest): string {
  if (!capabilities.has('side-band-64k'))
    throw new GitPackError('unsupported', 'The git server is too old: it lacks side-band-64k')
  const wanted = ['side-band-64k', 'ofs-delta', 'no-progress'].filter(name => capabilities.has(name))
  // A server that is asked to deepen sends everything again, unless it may send deltas without their bases.
  const depth = haves.length > 0 ? shallow.map(oid => packet(`shallow ${oid}\n`)) : [packet('deepen 1\n')]
  const deepen = capabilities.has('shallow') ? depth : []
  const have = haves.map(oid => packet(`have ${oid}\n`))
  return [
    packet(`want ${want} ${[...wanted, `agent=${agent}`].join(' ')}\n`),
    ...deepen,
    flush,
    ...have,
    packet('done\n'),
  ].join('')
}

/** Reads an answer of upload-pack; `write` takes the bytes of the pack as they arrive. Its size is limited on the way. */
export async function receivePack(
  answer: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ReceivedPack> {
  const pack = new IncomingPack(options)
  for await (const packet of readPackets(answer)) {
    const data = packet === 'flush' ? undefined : pack.take(packet)
    if (data) await write(data)
  }
  return pack.finish()
}

/** Follows an answer of upload-pack: shallow lines, acknowledgements, then the pack on side band 1. */
class IncomingPack {
  readonly #options: ReceiveOptions
  #shallow: Set<string>
  #bytes = 0

  constructor(options: ReceiveOptions) {
    this.#options = options
    this.#shallow = new Set(options.shallow)
  }

  /** The bytes of the pack that a packet holds, if it is of that kind. */
  take(packet: Packet): Uint8Array | undefined {
    if (typeof packet === 'string')
      throw new GitPackError('unsupported', 'The git server speaks a version of the protocol that was not asked for')
    const band = packet[0]
    if (band === 1) return this.#data(packet.subarray(1))
    if (band === 2) return undefined
    const line = Buffer.from(packet.subarray(band === 3 ? 1 : 0))
      .toString('utf8')
      .trim()
    if (band === 3 || line.startsWith('ERR '))
      throw new GitPackError('remote_error', 'The git server broke off while it packed the repository')
    const [word, oid = ''] = line.split(' ')
    if (word !== 'shallow' && word !== 'unshallow') return undefined
    if (!/^[0-9a-f]{40}$/.test(oid))
      throw new GitPackError('invalid', 'The git server sent a shallow line without an object id')
    if (word === 'shallow') this.#shallow.add(oid)
    else this.#shallow.delete(oid)
    return undefined
  }

  finish(): ReceivedPack {
    if (this.#bytes === 0) throw new GitPackError('invalid', 'The git server sent no pack')
    return { bytes: this.#bytes, shallow: [...this.#shallow] }
  }

  #data(data: Uint8Array): Uint8Array {
    this.#bytes += data.length
    const { maxBytes, onBytes } = this.#options
    if (this.#bytes > maxBytes)
      throw new GitPackError('too_large', `The pack is larger than the limit of ${maxBytes} bytes`)
    onBytes?.(this.#bytes)
    return data
  }
}
