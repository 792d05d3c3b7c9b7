import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { GitPackError, invalidPack } from './git-pack-error.ts'
import { applyDelta, readDeltaSizes, type EntryHeader, type ObjectType } from './pack-entry.ts'
import type { IndexEntry } from './pack-index.ts'
import type { PackReader } from './pack-reader.ts'

/** What a pack may cost: `maxObject` bytes are kept in memory at once, `maxInflated` is the sum of all. */
export interface PackLimits {
  maxObject: number
  maxInflated: number
  maxObjects: number
}

/** The objects of a pack, and whether objects over the limit were left out. */
export interface IndexedPack {
  entries: IndexEntry[]
  skipped: boolean
}

interface Entry {
  offset: number
  header: EntryHeader
  end: number
  crc: number
}

interface Resolved {
  type: ObjectType
  data: Buffer
}

/** Finds the id and the place of every object in a pack: one pass over the whole entries, then the deltas from their bases. */
export async function indexPack(reader: PackReader, limits: PackLimits, signal?: AbortSignal): Promise<IndexedPack> {
  const head = await reader.at(0, 12)
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'PACK' || head.readUInt32BE(4) !== 2) throw invalidPack('no pack')
  const count = head.readUInt32BE(8)
  if (count > limits.maxObjects) throw new GitPackError('too_large', `The pack holds ${count} objects, over the limit of ${limits.maxObjects}`)
  const indexing = new Indexing(reader, { limits, signal })
  let offset = 12
  for (let at = 0; at < count; at++) {
    offset = await indexing.scan(offset)
    if (at % 256 === 255) await yieldToEventLoop()
  }
  if (offset !== reader.bytes - 20) throw invalidPack('a trailer in the wrong place')
  return indexing.finish()
}

class Indexing {
  readonly #reader: PackReader
  readonly #limits: PackLimits
  readonly #signal: AbortSignal | undefined
  readonly #entries: IndexEntry[] = []
  readonly #deltas: Entry[] = []
  readonly #byOffset = new Map<number, Entry>()
  readonly #offsetOf = new Map<string, number>()
  readonly #kept = new Map<number, Resolved>()
  readonly #counted = new Set<number>()
  #keptBytes = 0
  #inflated = 0
  #skipped = false

  constructor(reader: PackReader, { limits, signal }: { limits: PackLimits; signal: AbortSignal | undefined }) {
    this.#reader = reader
    this.#limits = limits
    this.#signal = signal
  }

  /** Takes in the entry at an offset and answers where the next one begins. */
  async scan(offset: number): Promise<number> {
    this.#signal?.throwIfAborted()
    const header = await this.#reader.headerAt(offset)
    this.#spend(header.size)
    const start = offset + header.length
    if (header.size > this.#limits.maxObject) {
      this.#skipped = true
      return start + (await this.#reader.skip(start, header.size, this.#signal))
    }
    const { data, consumed } = await this.#reader.inflate(start, header.size)
    const end = start + consumed
    const raw = await this.#reader.at(offset, end - offset)
    const entry = { offset, header, end, crc: crc32(raw.subarray(0, end - offset)) }
    this.#byOffset.set(offset, entry)
    if (header.type === 'delta') this.#deltas.push(entry)
    else this.#add(entry, { type: header.type, data })
    return end
  }

  async finish(): Promise<IndexedPack> {
    let open = this.#deltas
    while (open.length > 0) {
      const left: Entry[] = []
      for (const entry of open) {
        const object = await this.#resolve(entry)
        if (object === 'later') left.push(entry)
        else if (object) this.#add(entry, object)
        await yieldToEventLoop()
      }
      if (left.length === open.length && !this.#skipped) throw invalidPack('a delta without its base')
      open = left.length === open.length ? [] : left
    }
    return { entries: this.#entries, skipped: this.#skipped }
  }

  #add({ offset, crc }: Entry, object: Resolved) {
    const oid = createHash('sha1').update(`${object.type} ${object.data.length}\0`).update(object.data).digest('hex')
    this.#offsetOf.set(oid, offset)
    this.#entries.push({ oid, offset, crc })
  }

  /** The object at an entry; 'later' while the base is not known yet, undefined when the result is over the limit. */
  async #resolve(entry: Entry): Promise<Resolved | 'later' | undefined> {
    const chain: Entry[] = []
    let next: Entry | undefined = entry
    while (next && next.header.type === 'delta' && !this.#kept.has(next.offset)) {
      if (chain.push(next) > 10_000) throw invalidPack('a chain of deltas without end')
      next = this.#baseOf(next)
    }
    if (!next) return 'later'
    let object = this.#kept.get(next.offset) ?? (await this.#whole(next))
    for (const link of chain.reverse()) {
      this.#signal?.throwIfAborted()
      const { data } = await this.#reader.inflate(link.offset + link.header.length, link.header.size, link.end)
      const { result } = readDeltaSizes(data)
      this.#spendOnce(link, result)
      if (result > this.#limits.maxObject) return this.#leaveOut()
      object = { type: object.type, data: applyDelta(object.data, data) }
      this.#keep(link.offset, object)
    }
    return object
  }

  #leaveOut(): undefined {
    this.#skipped = true
    return undefined
  }

  async #whole({ offset, header, end }: Entry): Promise<Resolved> {
    if (header.type === 'delta') throw invalidPack('a delta without its base')
    const { data } = await this.#reader.inflate(offset + header.length, header.size, end)
    const object = { type: header.type, data }
    this.#keep(offset, object)
    return object
  }

  #baseOf({ offset, header }: Entry): Entry | undefined {
    if (!header.base) return undefined
    const at = 'oid' in header.base ? this.#offsetOf.get(header.base.oid) : offset - header.base.distance
    const base = at === undefined ? undefined : this.#byOffset.get(at)
    if (!base && 'distance' in header.base && !this.#skipped) throw invalidPack('a delta whose base is no entry')
    return base
  }

  /** Bases are used by several deltas: keep the last ones, up to 32 MB. */
  #keep(offset: number, object: Resolved) {
    this.#kept.set(offset, object)
    this.#keptBytes += object.data.length
    for (const [oldest, { data }] of this.#kept) {
      if (this.#keptBytes <= 32 * 1024 * 1024 || oldest === offset) break
      this.#kept.delete(oldest)
      this.#keptBytes -= data.length
    }
  }

  /** A delta is made again when it left memory; it counts the first time. */
  #spendOnce({ offset }: Entry, bytes: number) {
    if (this.#counted.has(offset)) return
    this.#counted.add(offset)
    this.#spend(bytes)
  }

  #spend(bytes: number) {
    this.#inflated += bytes
    if (this.#inflated > this.#limits.maxInflated) {
      throw new GitPackError('too_large', `The pack unpacks to more than the limit of ${this.#limits.maxInflated} bytes`)
    }
  }
}
