import { LRUCache } from 'lru-cache'
import { GitPackError, invalidPack } from './git-pack-error.ts'
import { applyDelta, readDeltaSizes, type EntryHeader, type ObjectType } from './pack-entry.ts'
import type { PackIndex } from './pack-index.ts'
import type { PackReader } from './pack-reader.ts'

/** An object as git stores it. */
export interface GitObject {
  type: ObjectType
  data: Buffer
}

/** A pack and its index. */
export interface Pack {
  reader: PackReader
  index: PackIndex
}

interface Place {
  pack: Pack
  offset: number
  end: number
}

/** Reads objects from the packs of a repository, and never writes. */
export class ObjectStore {
  readonly #packs: Pack[]
  readonly #recent = new LRUCache<string, GitObject>({ maxSize: 16 * 1024 * 1024, sizeCalculation: ({ data }) => data.length + 1 })

  #turn: Promise<unknown> = Promise.resolve()

  constructor(packs: Pack[]) {
    this.#packs = packs
  }

  has(oid: string): boolean {
    return this.#packs.some(({ index }) => index.find(oid))
  }

  /** The size of an object, without inflating it. */
  async sizeOf(oid: string): Promise<number> {
    const { pack, offset, end } = this.#locate(oid)
    const header = await pack.reader.headerAt(offset)
    if (header.type !== 'delta') return header.size
    return readDeltaSizes(await pack.reader.peek(offset + header.length, end)).result
  }

  /** The bytes of an object, which must be of the type. One is read at a time: what it is made of is held until it is whole. */
  async read(oid: string, type: ObjectType): Promise<Buffer> {
    const turn = this.#turn.then(() => this.#readAt(this.#locate(oid)))
    this.#turn = turn.then(() => undefined, () => undefined)
    const object = await turn
    if (object.type !== type) throw invalidPack(`a ${object.type} where a ${type} should be`)
    return object.data
  }

  #locate(oid: string): Place {
    for (const pack of this.#packs) {
      const found = pack.index.find(oid)
      if (found) return { pack, ...found }
    }
    throw new GitPackError('missing_object', `The object ${oid} is in no pack`)
  }

  /** Goes down to the base first, so that of all deltas one at a time is in memory. */
  async #readAt(place: Place): Promise<GitObject> {
    const chain: (Place & { header: EntryHeader })[] = []
    let at = place
    let object = this.#recent.get(this.#keyOf(at))
    while (!object) {
      const header = await at.pack.reader.headerAt(at.offset)
      if (header.type === 'delta') {
        if (chain.push({ ...at, header }) > 10_000) throw invalidPack('a chain of deltas without end')
        at = this.#baseOf(at.pack, at.offset, header.base)
        object = this.#recent.get(this.#keyOf(at))
      } else object = { type: header.type, data: await inflated({ ...at, header }) }
    }
    for (const link of chain.reverse()) {
      object = { type: object.type, data: applyDelta(object.data, await inflated(link)) }
      this.#recent.set(this.#keyOf(link), object)
    }
    return object
  }

  #keyOf({ pack, offset }: Place): string {
    return `${this.#packs.indexOf(pack)}:${offset}`
  }

  #baseOf(pack: Pack, offset: number, base: { distance: number } | { oid: string } | undefined): Place {
    if (!base) throw invalidPack('a delta without its base')
    if ('oid' in base) return this.#locate(base.oid)
    const at = offset - base.distance
    const end = pack.index.endOf(at)
    if (end === undefined) throw invalidPack('a delta whose base is no entry')
    return { pack, offset: at, end }
  }
}

async function inflated({ pack, offset, end, header }: Place & { header: EntryHeader }): Promise<Buffer> {
  const { data } = await pack.reader.inflate(offset + header.length, header.size, end)
  return data
}
