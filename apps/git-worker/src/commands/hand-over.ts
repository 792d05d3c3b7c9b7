import { ImportFailure } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import type { RepositoryFile } from './list-files.ts'
import type { ObjectStore } from './object-store.ts'

/** Where the bytes of documents and files go; what is there already costs nothing. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<StoredBlob>
}

/** A blob by its SHA-256 and its bytes. */
export interface StoredBlob {
  hash: string
  size: number
}

/** What content has already, by git object id. */
export type KnownBlobs = ReadonlyMap<string, StoredBlob>

const maxBytesInFlight = 32 * 1024 * 1024
const maxInFlight = 8

/** Hands blobs of a repository over, each of them once, with a bound on what is under way. */
export class HandOver {
  readonly #store: ObjectStore
  readonly #blobs: Blobs
  readonly #known: KnownBlobs
  readonly #limits: Limits
  readonly #given = new Map<string, Promise<StoredBlob>>()
  readonly #underWay = new Set<Promise<unknown>>()
  #bytes = 0

  constructor(options: { store: ObjectStore; blobs: Blobs; known: KnownBlobs; limits: Limits }) {
    this.#store = options.store
    this.#blobs = options.blobs
    this.#known = options.known
    this.#limits = options.limits
  }

  async read({ oid, path }: RepositoryFile): Promise<Buffer> {
    const bytes = await this.#store.read(oid, 'blob')
    if (bytes.length > this.#limits.maxFile) throw tooLarge(path, this.#limits.maxFile)
    return bytes
  }

  isKnown(oid: string): boolean {
    return this.#known.has(oid) || this.#given.has(oid)
  }

  /** Gives a blob unless it is known. `bytes` are those that were read before, if they were. */
  async give(file: RepositoryFile, bytes?: Buffer): Promise<StoredBlob> {
    const known = this.#known.get(file.oid) ?? this.#given.get(file.oid)
    if (known) return known
    const put = bytes ? this.#put(bytes) : this.read(file).then(data => this.#put(data))
    this.#given.set(file.oid, put)
    return put
  }

  async #put(data: Buffer): Promise<StoredBlob> {
    while (this.#underWay.size >= maxInFlight || (this.#bytes > 0 && this.#bytes + data.length > maxBytesInFlight)) await Promise.race(this.#underWay)
    this.#bytes += data.length
    const put = this.#blobs.put(data)
    const settled = put.then(() => undefined, () => undefined).then(() => {
      this.#underWay.delete(settled)
      this.#bytes -= data.length
    })
    this.#underWay.add(settled)
    return put
  }
}

/** A file over the limit, by its path. */
export function tooLarge(path: string, limit: number): ImportFailure {
  return new ImportFailure('too_large', `${path} is larger than the limit of ${limit} bytes for one file`, { path })
}
