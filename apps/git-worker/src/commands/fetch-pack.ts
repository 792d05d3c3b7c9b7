import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Outgoing, OutgoingReply } from '@recto/outgoing'
import { ImportFailure } from '../models/import-failure.ts'
import { broken } from '../models/pack-entry.ts'
import { flush, packet, readPackets } from '../models/pkt-line.ts'
import { httpFailure, type Remote } from './discover.ts'

/** What to ask for: one commit without its history; or, with `haves`, what came after commits that are here already. */
export interface Wish {
  want: string
  haves: string[]
  shallow: string[]
  maxBytes: number
  timeoutMs: number
  signal: AbortSignal
  /** Called with the bytes so far. */
  onBytes?(bytes: number): void
}

/** A pack on disk: its trailing checksum was verified. */
export interface FetchedPack {
  sha: Buffer
  bytes: number
  shallow: string[]
}

/** Fetches one pack into a file, checking size and checksum while it arrives, so that it is never in memory as a whole. */
export async function fetchPack(outgoing: Outgoing, remote: Remote, wish: Wish & { path: string }): Promise<FetchedPack> {
  if (!remote.capabilities.has('side-band-64k')) throw new ImportFailure('invalid_repository', 'The git server is too old: it lacks side-band-64k')
  const reply = await outgoing.request({
    url: `${remote.url}/git-upload-pack${remote.query}`,
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
      ...(remote.authorization && { authorization: remote.authorization }),
    },
    body: requestBody(remote, wish),
    // The pack itself is counted below; what is around it is small.
    maxBytes: wish.maxBytes + wish.maxBytes / 8 + 1024 * 1024,
    timeoutMs: wish.timeoutMs,
    signal: wish.signal,
  })
  return receive(reply, wish)
}

function requestBody({ capabilities }: Remote, { want, haves, shallow }: Wish): string {
  const wanted = ['side-band-64k', 'ofs-delta', 'no-progress'].filter(name => capabilities.has(name))
  // A server that is asked to deepen sends everything again, unless it may send deltas without their bases.
  const depth = haves.length > 0 ? shallow.map(oid => packet(`shallow ${oid}\n`)) : [packet('deepen 1\n')]
  const deepen = capabilities.has('shallow') ? depth : []
  const have = haves.map(oid => packet(`have ${oid}\n`))
  return [packet(`want ${want} ${[...wanted, 'agent=recto'].join(' ')}\n`), ...deepen, flush, ...have, packet('done\n')].join('')
}

async function receive(reply: OutgoingReply, wish: Wish & { path: string }): Promise<FetchedPack> {
  if (reply.status !== 200) throw httpFailure(reply.status)
  const file = await open(wish.path, 'w')
  const pack = new IncomingPack(wish)
  try {
    for await (const packet of readPackets(reply.body)) {
      const data = packet && pack.take(packet)
      if (data) await file.writeFile(data)
    }
  } finally {
    await file.close()
  }
  return pack.finish()
}

/** Follows an answer of upload-pack: shallow lines, acknowledgements, then the pack on side band 1. */
class IncomingPack {
  readonly #wish: Wish
  readonly #hash = createHash('sha1')
  #shallow: Set<string>
  #tail = Buffer.alloc(0)
  #bytes = 0

  constructor(wish: Wish) {
    this.#wish = wish
    this.#shallow = new Set(wish.shallow)
  }

  /** The bytes of the pack that a packet holds, if it is of that kind. */
  take(packet: Uint8Array): Uint8Array | undefined {
    const band = packet[0]
    if (band === 1) return this.#data(packet.subarray(1))
    if (band === 2) return undefined
    const line = Buffer.from(packet.subarray(band === 3 ? 1 : 0)).toString('utf8').trim()
    if (band === 3 || line.startsWith('ERR ')) throw new ImportFailure('invalid_repository', 'The git server broke off while it packed the repository')
    const [word, oid] = line.split(' ')
    if (word === 'shallow' && oid) this.#shallow.add(oid)
    if (word === 'unshallow' && oid) this.#shallow.delete(oid)
    return undefined
  }

  finish(): FetchedPack {
    if (this.#tail.length < 20) throw broken('nothing')
    const sha = this.#hash.digest()
    if (!sha.equals(this.#tail)) throw broken('bytes that do not match its checksum')
    return { sha, bytes: this.#bytes, shallow: [...this.#shallow] }
  }

  #data(data: Uint8Array): Uint8Array {
    this.#bytes += data.length
    const { maxBytes, onBytes } = this.#wish
    if (this.#bytes > maxBytes) throw new ImportFailure('too_large', `The repository is larger than the limit of ${maxBytes} bytes`)
    onBytes?.(this.#bytes)
    const all = Buffer.concat([this.#tail, data])
    this.#hash.update(all.subarray(0, Math.max(0, all.length - 20)))
    this.#tail = all.subarray(Math.max(0, all.length - 20))
    return data
  }
}
