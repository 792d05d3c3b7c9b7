import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Failure } from '@recto/operation'
import { blobKey, unfinishedKey } from './blob-key.ts'
import type { StorageBackend } from './storage-backend.ts'
import { withStorageFailures } from './storage-failures.ts'

/** The SHA-256 of a blob and its size in bytes. */
export interface PutResult {
  hash: string
  size: number
}

/** Stores bytes in memory, whose hash is known before anything is written. */
export async function putBytes(backend: StorageBackend, bytes: Uint8Array, maxBytes: number): Promise<PutResult> {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const result = { hash, size: bytes.byteLength }
  if (await withStorageFailures(backend.storage.fileExists(blobKey(hash)))) return result
  const body = () => Readable.from(bytes.byteLength === 0 ? [] : [bytes], { objectMode: false })
  if (backend.atomicWrites) {
    await withStorageFailures(backend.write(blobKey(hash), { body: body(), size: result.size }))
    return result
  }
  const temporary = unfinishedKey(new Date())
  return storeThroughTemporary(backend, temporary, async () => {
    await withStorageFailures(backend.write(temporary, { body: body(), size: result.size }))
    return result
  })
}

/** Stores a stream under a temporary key while it is hashed, then moves it to the key of its hash. */
export async function putStream(
  backend: StorageBackend,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<PutResult> {
  const temporary = unfinishedKey(new Date())
  return storeThroughTemporary(backend, temporary, async () => {
    const meter = new HashingMeter(source, maxBytes)
    try {
      await withStorageFailures(backend.write(temporary, { body: Readable.from(meter.pass(), { objectMode: false }) }))
    } catch (error) {
      throw meter.error ?? error
    }
    return meter.result()
  })
}

/** Writes to the temporary key, checks its size and moves it; removes the temporary key on every failure. */
async function storeThroughTemporary(
  backend: StorageBackend,
  temporary: string,
  fill: () => Promise<PutResult>,
): Promise<PutResult> {
  const { storage } = backend
  try {
    const result = await fill()
    if ((await withStorageFailures(storage.fileSize(temporary))) !== result.size) {
      throw new Failure('unavailable', 'The blob store did not store all bytes')
    }
    const key = blobKey(result.hash)
    if (await withStorageFailures(storage.fileExists(key))) await storage.deleteFile(temporary)
    else await withStorageFailures(backend.persist(temporary).then(() => storage.moveFile(temporary, key)))
    return result
  } catch (error) {
    await storage.deleteFile(temporary).catch(() => {})
    throw error
  }
}

/** Counts and hashes a stream, throws `too_large` above the limit, and keeps an error of the source. */
class HashingMeter {
  readonly #source: AsyncIterable<Uint8Array>
  readonly #maxBytes: number
  readonly #hash = createHash('sha256')
  #size = 0
  error: unknown

  constructor(source: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#source = source
    this.#maxBytes = maxBytes
  }

  async *pass(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#source) {
        this.#size += chunk.byteLength
        if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes)
        this.#hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      this.error = error
      throw error
    }
  }

  result(): PutResult {
    return { hash: this.#hash.digest('hex'), size: this.#size }
  }
}

/** The failure for content above a limit in bytes. */
export function tooLarge(maxBytes: number): Failure {
  return new Failure('too_large', `The content is larger than ${maxBytes} bytes`)
}
