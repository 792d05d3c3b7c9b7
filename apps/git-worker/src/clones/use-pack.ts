import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { encodeIndex, ObjectStore, openPack } from '@recto/git-pack'
import { toFailure } from '@recto/operation'
import { ImportFailure, type Limits } from '@recto/repository-content'
import { withImportFailures } from '../failures/pack-failure.ts'
import { indexIncoming } from './index-incoming.ts'
import { openPackFile } from './pack-file.ts'

/** The blob store, from which a pack is read. */
export interface PackBlobs {
  get(hash: string): Promise<{ size: number; body: Readable }>
}

/** A pack of the blob store that somebody uploaded, and an empty folder for it. */
export interface PackRequest {
  blobs: PackBlobs
  pack: string
  /** The commit to work on. */
  oid: string
  folder: string
  limits: Limits
  signal: AbortSignal
  onBytes(bytes: number): void
}

/** The commit of a pack, with its objects. */
export interface PackedCommit {
  oid: string
  store: ObjectStore
  /** Whether objects over the limit were left out. */
  skipped: boolean
}

/** Bytes of objects cached as delta bases. */
const cacheBytes = 16 * 1024 * 1024

/** Copies a pack into a folder and works on its commit. The pack is checked and indexed as one that a git server sends. */
export async function usePack<T>(request: PackRequest, work: (commit: PackedCommit) => Promise<T>): Promise<T> {
  const { folder, oid, limits, signal } = request
  const path = join(folder, 'incoming.pack')
  await copyPack(request, path)
  return withImportFailures(async () => {
    const { entries, checksum, skipped } = await indexIncoming(path, limits, signal)
    const file = await openPackFile(path)
    try {
      const pack = await openPack(file.reader, encodeIndex(entries, checksum))
      const store = new ObjectStore([pack], { maxObject: limits.maxFile, cacheBytes })
      if (!store.has(oid)) throw new ImportFailure('invalid_repository', `The pack has no commit ${oid}`)
      return await work({ oid, store, skipped })
    } finally {
      await file.close()
    }
  })
}

async function copyPack({ blobs, pack, limits, signal, onBytes }: PackRequest, path: string): Promise<void> {
  const { size, body } = await blobs.get(pack).catch((error: unknown) => {
    if (toFailure(error).code === 'not_found') throw uploadMissing(error)
    throw error
  })
  if (size > limits.maxPack) {
    body.destroy()
    throw new ImportFailure('too_large', `The pack is over the limit of ${limits.maxPack} bytes`)
  }
  await pipeline(body, createWriteStream(path), { signal })
  onBytes(size)
}

/** The failure of a push whose upload is gone. */
export function uploadMissing(cause?: unknown): ImportFailure {
  return new ImportFailure('upload_missing', 'The upload is not there any more: upload the folder again', { cause })
}
