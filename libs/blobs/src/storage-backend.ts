import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { FileStorage } from '@flystorage/file-storage'
import { LocalStorageAdapter } from '@flystorage/local-fs'
import { s3Bucket } from './s3-bucket.ts'

/** A place that stores blobs: a local folder or an S3 bucket. */
export interface StorageBackend {
  storage: FileStorage
  /** True when a key appears only once its content is complete, so that no temporary key is needed. */
  atomicWrites: boolean
  presigns: boolean
  /** Stores content under a key; after a failure nothing appears there. */
  write(key: string, content: Content): Promise<void>
  /** Flushes written content to the disk (fdatasync). */
  persist(key: string): Promise<void>
  /**
   * Opens a key for reading. Bypasses the storage library, whose read streams leave their source open when the reader stops
   * early, and which needs a second request for the size.
   */
  read(key: string, range?: ByteRange): Promise<StoredContent>
  /** Throws when the backend is not usable. */
  probe(): Promise<void>
  close(): void
}

/** Content to be stored, with its number of bytes where that is known. */
export interface Content {
  body: Readable
  size?: number
}

/** Bytes of a blob, from the first to the last, both of them included. */
export interface ByteRange {
  start: number
  end: number
}

/** Stored content, or a range of it, and its number of bytes. */
export interface StoredContent {
  size: number
  body: Readable
}

/** Opens the backend of a URL: `file:///absolute/folder` or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=`. Throws a `TypeError` for any other. */
export function openBackend(address: string): StorageBackend {
  const url = new URL(address)
  if (url.protocol === 'file:') return localFolder(fileURLToPath(url))
  if (url.protocol === 's3:' && url.hostname !== '') return s3Bucket(url)
  throw new TypeError(`a blob store is file:///absolute/folder or s3://bucket/prefix, not ${url.protocol}`)
}

function localFolder(folder: string): StorageBackend {
  return {
    storage: new FileStorage(new LocalStorageAdapter(folder)),
    atomicWrites: false,
    presigns: false,
    write: (key, { body }) => writeFile(join(folder, key), body),
    persist: key => syncFile(join(folder, key)),
    read: (key, range) => readFile(join(folder, key), range),
    async probe() {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.R_OK | constants.W_OK)
    },
    close() {},
  }
}

// Opened before the content is read: the storage library creates the file after a source that fails at once.
async function writeFile(path: string, body: Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx')
  await pipeline(body, file.createWriteStream())
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function readFile(path: string, range?: ByteRange): Promise<StoredContent> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (range && range.end >= size) throw new RangeError('the range is not in the content')
    return { size: range ? range.end - range.start + 1 : size, body: file.createReadStream(range) }
  } catch (error) {
    await file.close()
    throw error
  }
}
