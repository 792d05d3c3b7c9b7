import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { ImportFailure } from '../models/import-failure.ts'
import { applyDelta, broken, type ObjectType } from '../models/pack-entry.ts'
import { decodeIndex, type PackIndex } from '../models/pack-index.ts'
import { PackReader } from './pack-reader.ts'

/** An object as git stores it. */
export interface GitObject {
  type: ObjectType
  data: Buffer
}

interface Pack {
  reader: PackReader
  index: PackIndex
}

interface Place {
  pack: Pack
  offset: number
  end: number
}

/** Reads objects from the packs of a bare repository, and never writes. */
export class ObjectStore {
  readonly #packs: Pack[]
  readonly #recent = new LRUCache<string, GitObject>({ maxSize: 16 * 1024 * 1024, sizeCalculation: ({ data }) => data.length + 1 })

  private constructor(packs: Pack[]) {
    this.#packs = packs
  }

  /** Opens all packs of a clone; one that was damaged is an invalid repository. */
  static async open(gitdir: string): Promise<ObjectStore> {
    try {
      return new ObjectStore(await openPacks(gitdir))
    } catch (cause) {
      throw new ImportFailure('invalid_repository', 'The clone of the repository cannot be read', { cause })
    }
  }

  async close(): Promise<void> {
    for (const { reader } of this.#packs) await reader.close()
  }

  has(oid: string): boolean {
    return this.#packs.some(({ index }) => index.find(oid))
  }

  /** The bytes of an object, which must be of the type. */
  async read(oid: string, type: ObjectType): Promise<Buffer> {
    const object = await this.#readAt(this.#locate(oid), 0)
    if (object.type !== type) throw broken(`a ${object.type} where a ${type} should be`)
    return object.data
  }

  #locate(oid: string): Place {
    for (const pack of this.#packs) {
      const found = pack.index.find(oid)
      if (found) return { pack, ...found }
    }
    throw new ImportFailure('invalid_repository', `The repository lacks the object ${oid}`)
  }

  async #readAt({ pack, offset, end }: Place, depth: number): Promise<GitObject> {
    if (depth > 10_000) throw broken('a chain of deltas without end')
    const key = `${this.#packs.indexOf(pack)}:${offset}`
    const recent = this.#recent.get(key)
    if (recent) return recent
    const header = await pack.reader.headerAt(offset)
    const { data } = await pack.reader.inflate(offset + header.length, header.size, end)
    if (header.type !== 'delta') return { type: header.type, data }
    const base = await this.#readAt(this.#baseOf(pack, offset, header.base), depth + 1)
    const object = { type: base.type, data: applyDelta(base.data, data) }
    this.#recent.set(key, object)
    return object
  }

  #baseOf(pack: Pack, offset: number, base: { distance: number } | { oid: string } | undefined): Place {
    if (!base) throw broken('a delta without its base')
    if ('oid' in base) return this.#locate(base.oid)
    const at = offset - base.distance
    const end = pack.index.endOf(at)
    if (end === undefined) throw broken('a delta whose base is no entry')
    return { pack, offset: at, end }
  }
}

async function openPacks(gitdir: string): Promise<Pack[]> {
  const folder = join(gitdir, 'objects/pack')
  const names = (await readdir(folder)).filter(name => name.endsWith('.idx')).map(name => name.slice(0, -4))
  const packs: Pack[] = []
  try {
    for (const name of names) packs.push(await openPack(join(folder, name)))
    return packs
  } catch (error) {
    for (const { reader } of packs) await reader.close()
    throw error
  }
}

async function openPack(path: string): Promise<Pack> {
  const reader = await PackReader.open(`${path}.pack`)
  try {
    return { reader, index: decodeIndex(await readFile(`${path}.idx`), reader.bytes) }
  } catch (error) {
    await reader.close()
    throw error
  }
}
