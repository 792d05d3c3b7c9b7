import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { toFailure } from '@recto/operation'
import { withStorageFailures } from './storage-failures.ts'
import { startedAt, blobKey, hashOf, unfinishedFolder } from './blob-key.ts'
import { openBackend } from './open-backend.ts'
import type { ByteRange, StorageBackend } from './storage-backend.ts'
import { putBytes, putStream, tooLarge } from './put.ts'
import type { PutResult } from './put.ts'

/** Expiry and response headers of a presigned URL. */
export interface PresignOptions {
  expiresAt: Date
  contentType: string
  disposition: string
  /** How long caches may keep the reply; the server decides unless given. */
  cacheControl?: string | undefined
}

/** A limit in bytes; above it the call fails as `too_large`. */
export interface SizeLimit {
  maxBytes?: number
}

/** Blobs named by the SHA-256 of their content. Methods fail with `not_found`, `too_large` or `unavailable`. */
export interface BlobStore {
  /** Stores content unless it exists; it appears under its hash completely or not at all. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, limit?: SizeLimit): Promise<PutResult>
  has(hash: string): Promise<boolean>
  /** Reads a blob, or a range of it that must be inside; `size` is the number of bytes of what is read. */
  get(hash: string, range?: ByteRange): Promise<{ size: number; body: Readable }>
  /** The number of bytes of a blob. */
  size(hash: string): Promise<number>
  bytes(hash: string, limit?: SizeLimit): Promise<Buffer>
  /** Deletes a blob if it exists. */
  delete(hash: string): Promise<void>
  /** The hashes of all blobs, in no order; blobs that are stored meanwhile may be among them or not. */
  list(): AsyncIterable<string>
  /** Whether a blob is there and its content has its hash. */
  verify(hash: string): Promise<boolean>
  /** Creates a URL that serves the blob; undefined for stores without an HTTP server. */
  presign(hash: string, options: PresignOptions): Promise<string | undefined>
  /** Deletes temporary keys older than a time, left behind by crashed writers; resolves to their number. */
  deleteUnfinished(before: Date): Promise<number>
  /** Resolves to true when the store is usable, else to the reason. */
  check(): Promise<true | string>
  /** Closes connections. */
  close(): void
}

/** Opens the blob store at `file:///absolute/folder` or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=true`. */
export function createBlobStore({ url }: { url: string }): BlobStore {
  const backend = openBackend(url)
  const { storage } = backend
  return {
    async put(content, { maxBytes = Infinity } = {}) {
      return content instanceof Uint8Array
        ? putBytes(backend, content, maxBytes)
        : putStream(backend, content, maxBytes)
    },
    has: async hash => withStorageFailures(storage.fileExists(blobKey(hash))),
    get: async (hash, range) => withStorageFailures(backend.read(blobKey(hash), range)),
    size: async hash => withStorageFailures(storage.fileSize(blobKey(hash))),
    bytes: (hash, { maxBytes = Infinity } = {}) => readAll(backend, hash, maxBytes),
    delete: async hash => withStorageFailures(storage.deleteFile(blobKey(hash))),
    list: () => list(backend),
    verify: hash => verify(backend, hash),
    presign: (hash, options) => presign(backend, hash, options),
    deleteUnfinished: before => deleteUnfinished(backend, before),
    check: () => check(backend),
    close: () => backend.close(),
  }
}

async function readAll(backend: StorageBackend, hash: string, maxBytes: number): Promise<Buffer> {
  const { size, body } = await withStorageFailures(backend.read(blobKey(hash)))
  if (size > maxBytes) {
    body.destroy()
    throw tooLarge(maxBytes)
  }
  return withStorageFailures(buffer(body))
}

async function* list({ storage }: StorageBackend): AsyncGenerator<string> {
  const entries = storage.list('', { deep: true })[Symbol.asyncIterator]()
  // A local folder exists from the first storing on.
  let next = await withStorageFailures(entries.next()).catch(withoutFolder)
  while (next && !next.done) {
    const hash = next.value.type === 'file' ? hashOf(next.value.path) : undefined
    if (hash !== undefined) yield hash
    next = await withStorageFailures(entries.next())
  }
}

function withoutFolder(error: unknown): undefined {
  const failure = toFailure(error)
  if (failure.code !== 'not_found') throw failure
}

async function verify(backend: StorageBackend, hash: string): Promise<boolean> {
  const digest = createHash('sha256')
  try {
    const { body } = await withStorageFailures(backend.read(blobKey(hash)))
    for await (const chunk of body) digest.update(chunk as Buffer)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.code === 'not_found') return false
    throw failure
  }
  return digest.digest('hex') === hash
}

async function presign(
  { storage, presigns }: StorageBackend,
  hash: string,
  { expiresAt, contentType, disposition, cacheControl }: PresignOptions,
): Promise<string | undefined> {
  const key = blobKey(hash)
  if (!presigns) return undefined
  const responseHeaders = {
    'Content-Type': contentType,
    'Content-Disposition': disposition,
    ...(cacheControl !== undefined && { 'Cache-Control': cacheControl }),
  }
  return withStorageFailures(storage.temporaryUrl(key, { expiresAt, responseHeaders }))
}

async function deleteUnfinished({ storage }: StorageBackend, before: Date): Promise<number> {
  let deleted = 0
  if (!(await withStorageFailures(storage.directoryExists(unfinishedFolder)))) return deleted
  for (const { path } of await withStorageFailures(storage.list(unfinishedFolder).toArray())) {
    const begun = startedAt(path)
    if (begun === undefined || begun >= before) continue
    await withStorageFailures(storage.deleteFile(path))
    deleted++
  }
  return deleted
}

async function check(backend: StorageBackend): Promise<true | string> {
  try {
    await backend.probe()
    return true
  } catch (error) {
    return `the blob store cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}
