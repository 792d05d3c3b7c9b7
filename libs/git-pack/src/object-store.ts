import { LRUCache } from 'lru-cache'
import { GitPackError, invalidPack } from './git-pack-error.ts'
import { applyDelta, maxDeltaDepth, readDeltaSizes, type EntryHeader, type ObjectType } from './pack-entry.ts'
import { decodeIndex, type PackIndex } from './pack-index.ts'
import type { PackReader } from './pack-reader.ts'

/** A git object: its type and its inflated content, without the header. */
export interface GitObject {
  type: ObjectType
  data: Buffer
}

/** A pack and its index. */
export interface Pack {
  reader: PackReader
  index: PackIndex
}

/** Resource limits of reading, in bytes. */
export interface ReadLimits {
  /** The largest object or delta that is read; two of this size are in memory at once. */
  maxObject: number
  /** Size of the cache of objects resolved from deltas. */
  cacheBytes: number
}

interface Place {
  pack: Pack
  offset: number
  end: number
}

/** Opens a pack with its index. Throws a `GitPackError` (`invalid`) when the index was written for another pack. */
export async function openPack(reader: PackReader, indexBytes: Buffer): Promise<Pack> {
  const index = decodeIndex(indexBytes, reader.bytes)
  const trailer = (await reader.at(reader.bytes - 20, 20)).subarray(0, 20)
  if (!trailer.equals(index.packChecksum)) throw new GitPackError('invalid', 'The pack index belongs to another pack')
  return { reader, index }
}

/** Reads objects from the packs of a repository; never writes. */
export class ObjectStore {
  readonly #packs: Pack[]
  readonly #maxObject: number
  readonly #recent: LRUCache<string, GitObject>

  #lastRun: Promise<unknown> = Promise.resolve()

  constructor(packs: readonly Pack[], { maxObject, cacheBytes }: ReadLimits) {
    this.#packs = [...packs]
    this.#maxObject = maxObject
    this.#recent = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ data }) => data.length + 1 })
  }

  /** Adds a pack that was fetched later. */
  add(pack: Pack): void {
    this.#packs.push(pack)
  }

  /** Whether an object is in one of the packs. */
  has(oid: string): boolean {
    return this.#packs.some(({ index }) => index.find(oid))
  }

  /** The size of an object in bytes, read from headers without inflating the object. */
  async sizeOf(oid: string): Promise<number> {
    const { pack, offset, end } = this.#locate(oid)
    const header = await pack.reader.headerAt(offset)
    if (header.type !== 'delta') return header.size
    return readDeltaSizes(await pack.reader.peek(offset + header.length, end)).result
  }

  /** Reads an object of the given type. Reads are serialised: the whole delta chain of one object is in memory until it is resolved. */
  async read(oid: string, type: ObjectType): Promise<Buffer> {
    const object = await this.readAny(oid)
    if (object.type !== type) throw invalidPack(`a ${object.type} where a ${type} should be`)
    return object.data
  }

  /** Reads the first bytes of a blob: `most` of them, or all when it is smaller. Only a blob that is stored as a delta is inflated as a whole. */
  async readStart(oid: string, most: number): Promise<Buffer> {
    const { pack, offset } = this.#locate(oid)
    const header = await pack.reader.headerAt(offset)
    if (header.type === 'delta' || header.size <= most) return (await this.read(oid, 'blob')).subarray(0, most)
    if (header.type !== 'blob') throw invalidPack(`a ${header.type} where a blob should be`)
    return this.#runExclusive(() => pack.reader.inflateStart(offset + header.length, most))
  }

  /** Reads an object of any type. Throws a `GitPackError` (`missing_object`) when it is in none of the packs. */
  async readAny(oid: string): Promise<GitObject> {
    return this.#runExclusive(() => this.#readAt(this.#locate(oid)))
  }

  #runExclusive<Result>(read: () => Promise<Result>): Promise<Result> {
    const run = this.#lastRun.then(read)
    this.#lastRun = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }

  #locate(oid: string): Place {
    for (const pack of this.#packs) {
      const position = pack.index.find(oid)
      if (position) return { pack, ...position }
    }
    throw new GitPackError('missing_object', `The object ${oid} is in no pack`)
  }

  /** Walks to the base first and applies the deltas from there, so that one delta at a time is in memory. */
  async #readAt(place: Place): Promise<GitObject> {
    const chain: (Place & { header: EntryHeader })[] = []
    let at = place
    let object = this.#recent.get(this.#keyOf(at))
    while (!object) {
      const header = await at.pack.reader.headerAt(at.offset)
      if (header.type === 'delta') {
        if (chain.push({ ...at, header }) > maxDeltaDepth)
          throw new GitPackError('unsupported', `The pack holds a chain of more than ${maxDeltaDepth} deltas`)
        at = this.#baseOf(at.pack, at.offset, header.base)
        object = this.#recent.get(this.#keyOf(at))
      } else object = { type: header.type, data: await this.#inflated({ ...at, header }) }
    }
    for (const link of chain.reverse()) {
      object = { type: object.type, data: this.#applied(object.data, await this.#inflated(link)) }
      this.#recent.set(this.#keyOf(link), object)
    }
    return object
  }

  #applied(base: Buffer, delta: Buffer): Buffer {
    this.#checkSize(readDeltaSizes(delta).result)
    return applyDelta(base, delta)
  }

  async #inflated({ pack, offset, end, header }: Place & { header: EntryHeader }): Promise<Buffer> {
    this.#checkSize(header.size)
    const { data } = await pack.reader.inflate(offset + header.length, header.size, { end })
    return data
  }

  #checkSize(bytes: number): void {
    if (bytes > this.#maxObject)
      throw new GitPackError('too_large', `The pack holds an object over the limit of ${this.#maxObject} bytes`)
  }

  #keyOf({ pack, offset }: Place): string {
    return `${this.#packs.indexOf(pack)}:${offset}`
  }

  #baseOf(pack: Pack, offset: number, base: EntryHeader['base']): Place {
    if (!base) throw invalidPack('a delta without its base')
    if ('oid' in base) return this.#locate(base.oid)
    const at = offset - base.distance
    const end = pack.index.endOf(at)
    if (end === undefined) throw invalidPack('a delta whose base is no entry')
    return { pack, offset: at, end }
  }
}
