import { createHash } from 'node:crypto'
import { packBundle } from '@recto/blobs'
import type { ObjectStore } from '@recto/git-pack'
import { ImportFailure } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import type { RepositoryFile } from './list-files.ts'

/** Where the bytes of documents and files go; what is there already costs nothing. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<StoredBlob>
}

/** A blob by its SHA-256 and its bytes. */
export interface StoredBlob {
  hash: string
  size: number
}

/** What content has already. A document is no blob, and a file that is not a page needs one: they are not the same. */
export interface Known extends StoredBlob {
  oid: string
  isDocument?: boolean | undefined
}

/** Documents travel together in blobs of about this many bytes. */
const bundleBytes = 2 * 1024 * 1024
const maxBytesInFlight = 32 * 1024 * 1024
const maxInFlight = 8
/** Of files whose bytes are in use; a single one may be larger. */
const maxBytesInUse = 64 * 1024 * 1024

/** Hands blobs of a repository over, each of them once, with a bound on what is under way. */
export class BlobUploader {
  readonly #store: ObjectStore
  readonly #blobs: Blobs
  readonly #limits: Limits
  readonly #given: Map<string, StoredBlob | Promise<StoredBlob>>
  readonly #documents: Map<string, string>
  readonly #bundles: Promise<StoredBlob>[] = []
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #reading = 0
  readonly #readers: (() => void)[] = []
  readonly #underWay = new Set<Promise<unknown>>()
  #bytes = 0

  constructor(options: { store: ObjectStore; blobs: Blobs; known: Known[]; limits: Limits }) {
    this.#store = options.store
    this.#blobs = options.blobs
    this.#limits = options.limits
    this.#given = new Map(
      options.known.filter(known => !known.isDocument).map(({ oid, hash, size }) => [oid, { hash, size }]),
    )
    this.#documents = new Map(options.known.filter(known => known.isDocument).map(({ oid, hash }) => [oid, hash]))
  }

  /** Works on the bytes of a file of bounded size; files whose bytes are in use at once have a bound together. */
  async withFile<T>(
    file: RepositoryFile,
    work: (bytes: Buffer) => Promise<T> | T,
    most = this.#limits.maxFile,
  ): Promise<T> {
    const size = await this.#store.sizeOf(file.oid)
    if (size > most) throw tooLarge(file.path, most)
    while (this.#reading > 0 && this.#reading + size > maxBytesInUse)
      await new Promise<void>(resolve => this.#readers.push(resolve))
    this.#reading += size
    try {
      return await work(await this.#store.read(file.oid, 'blob'))
    } finally {
      this.#reading -= size
      for (const resolve of this.#readers.splice(0)) resolve()
    }
  }

  /** The text of a page or of a setting, by its own limit in bytes. */
  readText(file: RepositoryFile, most: number): Promise<string> {
    return this.withFile(file, bytes => bytes.toString('utf8'), most)
  }

  isKnown(oid: string): boolean {
    return this.#given.has(oid)
  }

  /** Gives a blob unless it is known. `bytes` are those that were read before, if they were. */
  async upload(file: RepositoryFile, bytes?: Buffer): Promise<StoredBlob> {
    const given = this.#given.get(file.oid)
    if (given) return given
    const put = bytes ? this.#put(bytes) : this.withFile(file, data => this.#put(data))
    this.#given.set(file.oid, put)
    return put
  }

  /** Gives a document unless it is known; its hash. It may wait for others to travel with until `finish`. */
  async uploadDocument({ oid }: RepositoryFile, bytes: Buffer): Promise<string> {
    const known = this.#documents.get(oid)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(bytes).digest('hex')
    this.#documents.set(oid, hash)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= bundleBytes) await this.#sendBundle()
    return hash
  }

  /** Sends the documents that still wait; the hashes of all bundles. */
  async finish(): Promise<string[]> {
    if (this.#waiting.length > 0) await this.#sendBundle()
    return (await Promise.all(this.#bundles)).map(({ hash }) => hash)
  }

  async #sendBundle(): Promise<void> {
    const bundle = packBundle(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    const put = this.#put(bundle)
    this.#bundles.push(put)
    await put
  }

  async #put(data: Buffer): Promise<StoredBlob> {
    while (this.#underWay.size >= maxInFlight || (this.#bytes > 0 && this.#bytes + data.length > maxBytesInFlight))
      await Promise.race(this.#underWay)
    this.#bytes += data.length
    const put = this.#blobs.put(data)
    const settled = put
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
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
