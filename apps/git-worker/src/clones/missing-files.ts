import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outgoing } from '@recto/outgoing'
import { ImportFailure, type Limits } from '@recto/repository-content'
import { withImportFailures } from '../failures/pack-failure.ts'
import { addPack } from './bare-repository.ts'
import { tooLarge } from '../files/blob-uploader.ts'
import type { Clone } from './clone-cache.ts'
import type { Remote } from '../remote/discover.ts'
import { fetchObjects } from '../remote/fetch-pack.ts'
import { indexIncoming } from './index-incoming.ts'
import type { RepositoryFile } from '../files/list-files.ts'
import type { OpenClone } from './open-clone.ts'

/** Limit on the files of one request. */
const maxFilesPerFetch = 5_000

/** Limit on the bytes of files that are fetched before the configuration shows whether they are needed. */
const maxLikelyBytes = 32 * 1024 * 1024

/** Brings files into a clone that lacks them. */
export interface MissingFiles {
  /** Fetches the files that the clone lacks. Throws `too_large` when one, or all of them, exceed a limit. */
  fetch(files: RepositoryFile[]): Promise<void>
  /** Fetches files that probably are needed, unless they are too large together or the server does not send them. */
  fetchLikely(files: RepositoryFile[]): Promise<void>
}

/** For a whole clone, which lacks no files. */
export const nothingMissing: MissingFiles = { fetch: async () => {}, fetchLikely: async () => {} }

/** The source from which a partial clone is completed. */
export interface MissingOptions {
  outgoing: Outgoing
  remote: Remote
  clone: Clone
  openClone: OpenClone
  limits: Limits
  signal: AbortSignal
}

/** Fetches the files of a partial clone when they are needed, and adds them to its open store. */
export function missingFiles(options: MissingOptions): MissingFiles {
  const { limits, clone, openClone, signal } = options
  const { store } = openClone
  let remainingBytes = limits.maxPack
  const lackingOf = (files: RepositoryFile[]) =>
    [...new Set(files.map(({ oid }) => oid))].filter(oid => !store.has(oid))
  const fetchObjectsOf = async (wants: string[], maxBytes: number) => {
    const fetched = await clone.exclusively(() => fetchBatch(options, { wants, maxBytes }), signal)
    remainingBytes -= fetched.bytes
    return fetched.skipped
  }
  return {
    async fetch(files) {
      const oids = lackingOf(files)
      let skipped = false
      for (let at = 0; at < oids.length; at += maxFilesPerFetch)
        skipped = (await fetchObjectsOf(oids.slice(at, at + maxFilesPerFetch), remainingBytes)) || skipped
      const absent = files.find(({ oid }) => !store.has(oid))
      if (!absent) return
      if (skipped) throw tooLarge(absent.path, limits.maxFile)
      const message = `The git server did not send the content of ${absent.path}`
      throw new ImportFailure('invalid_repository', message, { path: absent.path })
    },
    async fetchLikely(files) {
      const oids = lackingOf(files)
      if (oids.length === 0) return
      // Half of the limit stays for objects that turn out to be needed.
      const maxBytes = Math.min(Math.floor(remainingBytes / 2), maxLikelyBytes)
      await fetchObjectsOf(oids, maxBytes).catch((error: unknown) => {
        if (!(error instanceof ImportFailure) || !['too_large', 'invalid_repository'].includes(error.code)) throw error
        // The server may have sent all of these bytes before the fetch was stopped.
        remainingBytes -= maxBytes
      })
    },
  }
}

/** Fetches the objects that no other operation has fetched meanwhile. */
async function fetchBatch(
  { outgoing, remote, clone: { gitdir }, openClone, limits, signal }: MissingOptions,
  { wants, maxBytes }: { wants: string[]; maxBytes: number },
): Promise<{ bytes: number; skipped: boolean }> {
  const path = join(gitdir, 'incoming.pack')
  await openClone.refresh()
  const lacking = wants.filter(oid => !openClone.store.has(oid))
  if (lacking.length === 0) return { bytes: 0, skipped: false }
  try {
    return await withImportFailures(async () => {
      const { bytes } = await fetchObjects(outgoing, remote, {
        wants: lacking,
        haves: [],
        shallow: [],
        withoutHistory: false,
        withoutBlobs: false,
        maxBytes,
        timeoutMs: limits.jobTimeoutMs,
        signal,
        path,
      })
      const { entries, checksum, skipped } = await indexIncoming(path, limits, signal)
      await addPack(gitdir, { path, checksum, entries })
      await openClone.refresh()
      return { bytes, skipped }
    })
  } finally {
    await rm(path, { force: true })
  }
}
