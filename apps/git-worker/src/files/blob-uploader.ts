import { createHash } from 'node:crypto'
import { packBundle } from '@recto/blobs'
import type { ObjectStore } from '@recto/git-pack'
import { ImportFailure, type Warning, type Limits, readUtf8 } from '@recto/repository-content'
import type { RepositoryFile } from './list-files.ts'

/** The blob store; storing an existing blob writes nothing. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<StoredBlob>
}

/** A blob by its SHA-256 and its bytes. */
export interface StoredBlob {
  hash: string
  size: number
}

/** A git object that content already has. Documents are not blobs: a document that is also a file is uploaded. */
export interface KnownBlob extends StoredBlob {
  oid: string
  isDocument?: boolean | undefined
}

/** Size at which a bundle of documents is uploaded, in bytes. */
const bundleBytes = 2 * 1024 * 1024
const maxBytesInFlight = 32 * 1024 * 1024
const maxInFlight = 8
/** Total size of files in memory; a single file may be larger. */
const maxBytesInUse = 64 * 1024 * 1024

/** Uploads the blobs of a repository, each once, with bounded memory and concurrency. */
export class BlobUploader {
  readonly #store: ObjectStore
  readonly #blobs: Blobs
  readonly #limits: Limits
  readonly #blobsByOid: Map<string, StoredBlob | Promise<StoredBlob>>
  readonly #documents: Map<string, string>
  readonly #bundles: Promise<StoredBlob>[] = []
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #bytesInUse = 0
  readonly #waitingReaders: (() => void)[] = []
  readonly #inFlight = new Set<Promise<unknown>>()
  #bytesInFlight = 0

  constructor(options: { store: ObjectStore; blobs: Blobs; known: KnownBlob[]; limits: Limits }) {
    this.#store = options.store
    this.#blobs = options.blobs
    this.#limits = options.limits
    this.#blobsByOid = new Map(
      options.known.filter(({ isDocument }) => !isDocument).map(({ oid, hash, size }) => [oid, { hash, size }]),
    )
    this.#documents = new Map(options.known.filter(({ isDocument }) => isDocument).map(({ oid, hash }) => [oid, hash]))
  }

  /** Runs work on the bytes of a file, with a bound on the total size of files in memory. Throws `too_large` for a file above `maxBytes`. */
  async withFile<T>(
    file: RepositoryFile,
    work: (bytes: Buffer) => Promise<T> | T,
    maxBytes = this.#limits.maxFile,
  ): Promise<T> {
    const size = await this.#store.sizeOf(file.oid)
    if (size > maxBytes) throw tooLarge(file.path, maxBytes)
    while (this.#bytesInUse > 0 && this.#bytesInUse + size > maxBytesInUse)
      await new Promise<void>(resolve => this.#waitingReaders.push(resolve))
    this.#bytesInUse += size
    try {
      return await work(await this.#store.read(file.oid, 'blob'))
    } finally {
      this.#bytesInUse -= size
      for (const resolve of this.#waitingReaders.splice(0)) resolve()
    }
  }

  /** Reads the first bytes of a file. */
  readStart(file: RepositoryFile, maxBytes: number): Promise<Buffer> {
    return this.#store.readStart(file.oid, maxBytes)
  }

  /** Reads a file as UTF-8, with a warning when it is not; throws `too_large` above `maxBytes`. */
  readText(file: RepositoryFile, maxBytes: number, warnings: Warning[]): Promise<string> {
    return this.withFile(file, bytes => readUtf8(file.path, bytes, warnings), maxBytes)
  }

  isKnown(oid: string): boolean {
    return this.#blobsByOid.has(oid)
  }

  /** Uploads a file unless its blob is known. `bytes` saves reading the file again. */
  async upload(file: RepositoryFile, bytes?: Buffer): Promise<StoredBlob> {
    const storedBlob = this.#blobsByOid.get(file.oid)
    if (storedBlob) return storedBlob
    const put = bytes ? this.#put(bytes) : this.withFile(file, data => this.#put(data))
    this.#blobsByOid.set(file.oid, put)
    return put
  }

  /** Adds a document to a bundle unless it is known; resolves to its SHA-256. The bundle may be uploaded as late as `finish`. */
  async uploadDocument({ oid }: RepositoryFile, bytes: Buffer): Promise<string> {
    const knownHash = this.#documents.get(oid)
    if (knownHash !== undefined) return knownHash
    const hash = createHash('sha256').update(bytes).digest('hex')
    this.#documents.set(oid, hash)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= bundleBytes) await this.#sendBundle()
    return hash
  }

  /** Uploads the last bundle; resolves to the hashes of all bundles. */
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
    while (
      this.#inFlight.size >= maxInFlight ||
      (this.#bytesInFlight > 0 && this.#bytesInFlight + data.length > maxBytesInFlight)
    )
      await Promise.race(this.#inFlight)
    this.#bytesInFlight += data.length
    const put = this.#blobs.put(data)
    const transfer = put
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.#inFlight.delete(transfer)
        this.#bytesInFlight -= data.length
      })
    this.#inFlight.add(transfer)
    return put
  }
}

/** Creates the failure for a file above the size limit. */
export function tooLarge(path: string, limit: number): ImportFailure {
  return new ImportFailure('too_large', `${path} is larger than the limit of ${limit} bytes for one file`, { path })
}
