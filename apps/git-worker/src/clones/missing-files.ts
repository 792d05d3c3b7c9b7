import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outgoing } from '@recto/outgoing'
import { ImportFailure } from '../failures/import-failure.ts'
import type { Limits } from '../failures/limits.ts'
import { withImportFailures } from '../failures/pack-failure.ts'
import { addPack } from './bare-repository.ts'
import { tooLarge } from '../files/blob-uploader.ts'
import type { Clone } from './clone-cache.ts'
import type { Remote } from '../remote/discover.ts'
import { fetchObjects } from '../remote/fetch-pack.ts'
import { indexIncoming } from './index-incoming.ts'
import type { RepositoryFile } from '../files/list-files.ts'
import type { OpenClone } from './open-clone.ts'

/** Files asked for by one request. */
const batch = 5_000

/** Bytes of files that are fetched before it is known whether they are needed. */
const maxLikelyBytes = 32 * 1024 * 1024

/** Brings files into a clone that lacks them. */
export interface MissingFiles {
  /** Fetches those of the files that the clone lacks. Throws `too_large` when one, or all of them, exceed a limit. */
  fetch(files: RepositoryFile[]): Promise<void>
  /** Fetches files that probably are needed, unless they are too large together, or the server does not send them. */
  fetchLikely(files: RepositoryFile[]): Promise<void>
}

/** The files of a clone that has all of them. */
export const nothingMissing: MissingFiles = { fetch: async () => {}, fetchLikely: async () => {} }

/** What a partial clone is completed from. */
export interface MissingOptions {
  outgoing: Outgoing
  remote: Remote
  clone: Clone
  opened: OpenClone
  limits: Limits
  signal: AbortSignal
}

/** Fetches the files of a partial clone when they are needed, and adds them to its open store. */
export function missingFiles(options: MissingOptions): MissingFiles {
  const { limits, clone, opened, signal } = options
  const { store } = opened
  let left = limits.maxPack
  const lackingOf = (files: RepositoryFile[]) =>
    [...new Set(files.map(({ oid }) => oid))].filter(oid => !store.has(oid))
  const bring = async (wants: string[], maxBytes: number) => {
    const fetched = await clone.exclusively(() => fetchBatch(options, { wants, maxBytes }), signal)
    left -= fetched.bytes
    return fetched.skipped
  }
  return {
    async fetch(files) {
      const wanted = lackingOf(files)
      let skipped = false
      for (let at = 0; at < wanted.length; at += batch)
        skipped = (await bring(wanted.slice(at, at + batch), left)) || skipped
      const absent = files.find(({ oid }) => !store.has(oid))
      if (!absent) return
      if (skipped) throw tooLarge(absent.path, limits.maxFile)
      const message = `The git server did not send the content of ${absent.path}`
      throw new ImportFailure('invalid_repository', message, { path: absent.path })
    },
    async fetchLikely(files) {
      const wanted = lackingOf(files)
      if (wanted.length === 0) return
      // What is needed then has to fit, too.
      const most = Math.min(Math.floor(left / 2), maxLikelyBytes)
      await bring(wanted, most).catch((error: unknown) => {
        if (!(error instanceof ImportFailure) || !['too_large', 'invalid_repository'].includes(error.code)) throw error
        // It may have sent that much before it was stopped.
        left -= most
      })
    },
  }
}

/** Fetches what no other operation has fetched in the meantime. */
async function fetchBatch(
  { outgoing, remote, clone: { gitdir }, opened, limits, signal }: MissingOptions,
  { wants, maxBytes }: { wants: string[]; maxBytes: number },
): Promise<{ bytes: number; skipped: boolean }> {
  const path = join(gitdir, 'incoming.pack')
  await opened.refresh()
  const lacking = wants.filter(oid => !opened.store.has(oid))
  if (lacking.length === 0) return { bytes: 0, skipped: false }
  try {
    return await withImportFailures(async () => {
      const { bytes } = await fetchObjects(outgoing, remote, {
        ...{ wants: lacking, haves: [], shallow: [], withoutHistory: false, withoutBlobs: false },
        ...{ maxBytes, timeoutMs: limits.jobTimeoutMs, signal, path },
      })
      const { entries, checksum, skipped } = await indexIncoming(path, limits, signal)
      await addPack(gitdir, { path, checksum, entries })
      await opened.refresh()
      return { bytes, skipped }
    })
  } finally {
    await rm(path, { force: true })
  }
}
