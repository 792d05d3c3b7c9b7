import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { GitPackError, invalidPack } from './git-pack-error.ts'
import { KeptObjects, type KeptObject } from './kept-objects.ts'
import { applyDelta, maxDeltaDepth, readDeltaSizes, type EntryHeader } from './pack-entry.ts'
import type { IndexEntry } from './pack-index.ts'
import type { PackReader } from './pack-reader.ts'

/** Resource limits of indexing a pack, in bytes and objects. */
export interface PackLimits {
  /** The largest object that is indexed; larger ones are skipped. Two of this size are in memory at once. */
  maxObject: number
  /** The total inflated size of all objects and deltas. */
  maxInflated: number
  /** The largest number of objects; each takes about 350 bytes of memory until the pack is indexed. */
  maxObjects: number
  /** Size of the cache of delta bases. */
  cacheBytes: number
}

/** The objects of a pack, its verified checksum, and whether objects over the limit were skipped. */
export interface IndexedPack {
  entries: IndexEntry[]
  checksum: Buffer
  skipped: boolean
}

interface Entry {
  offset: number
  header: EntryHeader
  end: number
  crc: number
  /** Length of the delta chain to a whole object; absent until the entry has been resolved. */
  depth?: number
}

const trailerBytes = 20

/**
 * Verifies a pack and computes the id and offset of every object: one pass over the entries, then the deltas are resolved from their
 * bases. Throws a `GitPackError`, or the reason of `signal` when it is aborted.
 */
export async function indexPack(reader: PackReader, limits: PackLimits, signal?: AbortSignal): Promise<IndexedPack> {
  const head = (await reader.at(0, 12)).subarray(0, 12)
  const count = readCount(head, limits)
  const indexing = new Indexing(reader, { limits, signal })
  indexing.hash.update(head)
  let offset = 12
  for (let at = 0; at < count; at++) {
    offset = await indexing.scan(offset)
    if (at % 256 === 255) await yieldToEventLoop()
  }
  if (offset !== reader.bytes - trailerBytes) throw invalidPack('a trailer in the wrong place')
  const checksum = indexing.hash.digest()
  if (!checksum.equals((await reader.at(offset, trailerBytes)).subarray(0, trailerBytes)))
    throw invalidPack('bytes that do not match its checksum')
  return { ...(await indexing.finish()), checksum }
}

function readCount(head: Buffer, { maxObjects }: PackLimits): number {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'PACK') throw invalidPack('no pack')
  const version = head.readUInt32BE(4)
  if (version !== 2 && version !== 3)
    throw new GitPackError('unsupported', `The pack has version ${version}; 2 and 3 are supported`)
  const count = head.readUInt32BE(8)
  if (count > maxObjects)
    throw new GitPackError('too_large', `The pack holds ${count} objects, over the limit of ${maxObjects}`)
  return count
}

class Indexing {
  readonly hash = createHash('sha1')
  readonly #reader: PackReader
  readonly #limits: PackLimits
  readonly #signal: AbortSignal | undefined
  readonly #entries: IndexEntry[] = []
  readonly #deltas: Entry[] = []
  readonly #byOffset = new Map<number, Entry>()
  readonly #offsetOf = new Map<string, number>()
  /** Deltas that wait for their base, by its object id. */
  readonly #waiting = new Map<string, Entry[]>()
  readonly #leftOut = new Set<number>()
  /** Cache of resolved objects, because several deltas share a base. */
  readonly #kept: KeptObjects
  #inflated = 0

  constructor(reader: PackReader, { limits, signal }: { limits: PackLimits; signal: AbortSignal | undefined }) {
    this.#reader = reader
    this.#limits = limits
    this.#signal = signal
    this.#kept = new KeptObjects(limits.cacheBytes)
  }

  /** Reads and hashes the entry at an offset; resolves to the offset of the next one. */
  async scan(offset: number): Promise<number> {
    this.#signal?.throwIfAborted()
    const header = await this.#reader.headerAt(offset)
    this.#spend(header.size)
    const start = offset + header.length
    if (header.size > this.#limits.maxObject) {
      this.#leftOut.add(offset)
      const end = start + (await this.#reader.skip(start, header.size, this.#signal))
      await this.#hashLong(offset, end)
      return end
    }
    const { data, consumed } = await this.#reader.inflate(start, header.size, { signal: this.#signal })
    const end = start + consumed
    const raw = (await this.#reader.at(offset, end - offset)).subarray(0, end - offset)
    this.hash.update(raw)
    const entry = { offset, header, end, crc: crc32(raw) }
    this.#byOffset.set(offset, entry)
    if (header.type === 'delta') this.#deltas.push(entry)
    else this.#add(entry, { type: header.type, data })
    return end
  }

  /** Resolves the deltas in pack order; a delta whose base comes later is resolved after its base. */
  async finish(): Promise<{ entries: IndexEntry[]; skipped: boolean }> {
    for (const first of this.#deltas) {
      for (const ready = [first]; ;) {
        const entry = ready.pop()
        if (!entry) break
        const object = await this.#resolve(entry)
        if (object) ready.push(...this.#wokenBy(this.#add(entry, object)))
        await yieldToEventLoop()
      }
    }
    const skipped = this.#leftOut.size > 0
    if (this.#waiting.size > 0 && !skipped) throw invalidPack('a delta without its base')
    return { entries: this.#entries, skipped }
  }

  async #hashLong(start: number, end: number): Promise<void> {
    for (let at = start; at < end;) {
      const chunk = (await this.#reader.at(at, Math.min(65_536, end - at))).subarray(0, end - at)
      if (chunk.length === 0) throw invalidPack('data that is cut off')
      this.hash.update(chunk)
      at += chunk.length
    }
  }

  #add({ offset, crc }: Entry, object: KeptObject): string {
    const oid = createHash('sha1').update(`${object.type} ${object.data.length}\0`).update(object.data).digest('hex')
    // The first entry of a duplicated object stays the base: it is resolved without the second, so no cycle can arise.
    if (!this.#offsetOf.has(oid)) this.#offsetOf.set(oid, offset)
    this.#entries.push({ oid, offset, crc })
    return oid
  }

  #wokenBy(oid: string): Entry[] {
    const woken = this.#waiting.get(oid) ?? []
    this.#waiting.delete(oid)
    return woken
  }

  /** The object at an entry; undefined while its base is not resolved yet, or when it is skipped. */
  async #resolve(entry: Entry): Promise<KeptObject | undefined> {
    this.#signal?.throwIfAborted()
    const chain: Entry[] = []
    let next = entry
    while (next.header.type === 'delta' && !this.#kept.get(next.offset)) {
      chain.push(next)
      const base = this.#baseOf(next, entry)
      if (!base) return undefined
      next = base
    }
    let object = this.#kept.get(next.offset) ?? (await this.#whole(next))
    let depth = next.depth ?? 0
    for (const link of chain.reverse()) {
      const made = await this.#apply(link, object, ++depth)
      if (!made) return undefined
      object = made
    }
    return object
  }

  async #apply(link: Entry, base: KeptObject, depth: number): Promise<KeptObject | undefined> {
    this.#signal?.throwIfAborted()
    if (depth > maxDeltaDepth)
      throw new GitPackError('unsupported', `The pack holds a chain of more than ${maxDeltaDepth} deltas`)
    const { data } = await this.#reader.inflate(link.offset + link.header.length, link.header.size, { end: link.end })
    const { result } = readDeltaSizes(data)
    // A delta is resolved again after its eviction from the cache; only the first time counts against the limit.
    if (link.depth === undefined) this.#spend(result)
    link.depth = depth
    if (result > this.#limits.maxObject) {
      this.#leftOut.add(link.offset)
      return undefined
    }
    const object = { type: base.type, data: applyDelta(base.data, data) }
    this.#kept.add(link.offset, object)
    return object
  }

  async #whole({ offset, header, end }: Entry): Promise<KeptObject> {
    if (header.type === 'delta') throw invalidPack('a delta without its base')
    const { data } = await this.#reader.inflate(offset + header.length, header.size, { end })
    const object = { type: header.type, data }
    this.#kept.add(offset, object)
    return object
  }

  /** The base of a delta; undefined when it is skipped, or when `entry`, which depends on it, has to wait for it. */
  #baseOf({ offset, header }: Entry, entry: Entry): Entry | undefined {
    if (!header.base) return undefined
    const at = 'oid' in header.base ? this.#offsetOf.get(header.base.oid) : offset - header.base.distance
    if ('oid' in header.base && at === undefined) {
      const { oid } = header.base
      const waiting = this.#waiting.get(oid)
      if (waiting) waiting.push(entry)
      else this.#waiting.set(oid, [entry])
      return undefined
    }
    if (at !== undefined && this.#leftOut.has(at)) {
      this.#leftOut.add(entry.offset)
      return undefined
    }
    const base = at === undefined ? undefined : this.#byOffset.get(at)
    if (!base || at === offset) throw invalidPack('a delta whose base is no entry')
    return base
  }

  #spend(bytes: number) {
    this.#inflated += bytes
    if (this.#inflated > this.#limits.maxInflated) {
      throw new GitPackError(
        'too_large',
        `The pack unpacks to more than the limit of ${this.#limits.maxInflated} bytes`,
      )
    }
  }
}
