import { GitPackError } from './git-pack-error.ts'
import { delimiter, flush, packet, readPackets, type Packet } from './pkt-line.ts'

/** The commit to fetch: without its history (depth 1), or with `haves`, as an increment to commits already present. */
export interface FetchRequest {
  want: string
  haves: string[]
  /** Commits whose parents are missing locally (shallow boundary). */
  shallow: string[]
  /** The capabilities that the server advertised. */
  capabilities: ReadonlySet<string>
  /** The client's name in the `agent` capability; no spaces. */
  agent: string
}

/** Limits and progress of receiving a pack. */
export interface ReceiveOptions {
  shallow: readonly string[]
  /** The response comes in sections, as one of the `fetch` command does (protocol version 2). */
  inSections?: boolean
  maxBytes: number
  /** Called with the number of pack bytes received so far. */
  onBytes?(bytes: number): void
}

/** A received pack; its content is verified when it is indexed. */
export interface ReceivedPack {
  bytes: number
  /** The shallow boundary after this fetch. */
  shallow: string[]
}

/**
 * Encodes the body of a git-upload-pack request, protocol versions 0 and 1 of gitprotocol-pack(5). Throws a `GitPackError`
 * (`unsupported`) when the server lacks side-band-64k.
 */
export function encodeFetchRequest({ want, haves, shallow, capabilities, agent }: FetchRequest): string {
  if (!capabilities.has('side-band-64k'))
    throw new GitPackError('unsupported', 'The git server is too old: it lacks side-band-64k')
  const requestedCapabilities = ['side-band-64k', 'ofs-delta', 'no-progress'].filter(name => capabilities.has(name))
  // With `deepen` a server sends everything again, unless thin packs (deltas without their bases) are allowed.
  const depth = haves.length > 0 ? shallow.map(oid => packet(`shallow ${oid}\n`)) : [packet('deepen 1\n')]
  const deepen = capabilities.has('shallow') ? depth : []
  const have = haves.map(oid => packet(`have ${oid}\n`))
  return [
    packet(`want ${want} ${[...requestedCapabilities, `agent=${agent}`].join(' ')}\n`),
    ...deepen,
    flush,
    ...have,
    packet('done\n'),
  ].join('')
}

/** Objects to fetch by the `fetch` command: a commit without history or as an increment, or single objects by their ids. */
export interface FetchCommand {
  wants: string[]
  haves: string[]
  shallow: string[]
  /** Leaves the parents of the wanted commits out. */
  withoutHistory: boolean
  /** Leaves files out: commits and trees only. */
  withoutBlobs: boolean
  /** The client's name; no spaces. */
  agent: string
}

/** Encodes the body of the `fetch` command of gitprotocol-v2(5). */
export function encodeFetchCommand(command: FetchCommand): string {
  const { wants, haves, shallow, withoutHistory, withoutBlobs, agent } = command
  const lines = [
    'no-progress',
    'ofs-delta',
    ...wants.map(oid => `want ${oid}`),
    ...haves.map(oid => `have ${oid}`),
    ...shallow.map(oid => `shallow ${oid}`),
    ...(withoutHistory ? ['deepen 1'] : []),
    ...(withoutBlobs ? ['filter blob:none'] : []),
    'done',
  ]
  const head = [packet('command=fetch\n'), packet(`agent=${agent}`), packet('object-format=sha1'), delimiter]
  return [...head, ...lines.map(line => packet(`${line}\n`)), flush].join('')
}

/** Reads an upload-pack response and passes the bytes of the pack to `write`. Throws a `GitPackError` (`too_large`) over `maxBytes`. */
export async function receivePack(
  answer: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<ReceivedPack> {
  const pack = new IncomingPack(options)
  for await (const packet of readPackets(answer)) {
    const isBetween = packet === 'flush' || (packet === 'delimiter' && options.inSections === true)
    const data = isBetween ? undefined : pack.take(packet)
    if (data) await write(data)
  }
  return pack.finish()
}

/** Parser of an upload-pack response: shallow lines, acknowledgements, then the pack on side band 1. */
class IncomingPack {
  readonly #options: ReceiveOptions
  #shallow: Set<string>
  #bytes = 0

  constructor(options: ReceiveOptions) {
    this.#options = options
    this.#shallow = new Set(options.shallow)
  }

  /** The pack bytes in a packet; undefined for other packets. */
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
