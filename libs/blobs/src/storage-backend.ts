import type { Readable } from 'node:stream'
import type { FileStorage } from '@flystorage/file-storage'

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
