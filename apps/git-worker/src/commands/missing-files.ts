import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ObjectStore, openPack } from '@recto/git-pack'
import type { Outgoing } from '@recto/outgoing'
import { ImportFailure } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import { withImportFailures } from '../models/pack-failure.ts'
import { addPack, readState } from './bare-repository.ts'
import { tooLarge } from './blob-uploader.ts'
import type { Remote } from './discover.ts'
import type { FetchedBranch } from './fetch-branch.ts'
import { fetchObjects } from './fetch-pack.ts'
import { indexIncoming } from './index-incoming.ts'
import type { RepositoryFile } from './list-files.ts'
import { openPackFile, type PackFile } from './pack-file.ts'

/** Files asked for by one request. */
const batch = 5_000

/** Brings files into a clone that lacks them. */
export interface MissingFiles {
  /** Fetches those of the files that the clone lacks. Throws `too_large` when one, or all of them, exceed a limit. */
  fetch(files: RepositoryFile[]): Promise<void>
  close(): Promise<void>
}

/** The files of a clone that has all of them. */
export const nothingMissing: MissingFiles = { fetch: async () => {}, close: async () => {} }

/** What a partial clone is completed from. */
export interface MissingOptions {
  outgoing: Outgoing
  remote: Remote
  gitdir: string
  store: ObjectStore
  limits: Limits
  /** Bytes of packs that may still be fetched. */
  maxBytes: number
  signal: AbortSignal
  onBytes?(bytes: number): void
}

/** Fetches the files of a partial clone when they are needed, and adds them to its open store. */
export function missingFiles(options: MissingOptions): MissingFiles {
  const { store, limits } = options
  const opened: PackFile[] = []
  let left = options.maxBytes
  return {
    async fetch(files) {
      const wanted = [...new Set(files.map(({ oid }) => oid))].filter(oid => !store.has(oid))
      let skipped = false
      for (let at = 0; at < wanted.length; at += batch) {
        const fetched = await withImportFailures(() =>
          fetchBatch(options, { wants: wanted.slice(at, at + batch), maxBytes: left }),
        )
        left -= fetched.bytes
        skipped ||= fetched.skipped
        opened.push(fetched.file)
      }
      const absent = files.find(({ oid }) => !store.has(oid))
      if (!absent) return
      if (skipped) throw tooLarge(absent.path, limits.maxFile)
      const message = `The git server did not send the content of ${absent.path}`
      throw new ImportFailure('invalid_repository', message, { path: absent.path })
    },
    async close() {
      for (const file of opened) await file.close()
    },
  }
}

/** The missing files of a clone that was fetched just now. */
export function missingOf(
  { partial: remote }: FetchedBranch,
  clone: { tools: Pick<MissingOptions, 'outgoing' | 'limits' | 'signal'>; gitdir: string; store: ObjectStore },
): MissingFiles {
  if (!remote) return nothingMissing
  const { tools, gitdir, store } = clone
  const { outgoing, limits, signal } = tools
  return missingFiles({ ...{ outgoing, remote, gitdir, store, limits, signal }, maxBytes: limits.maxPack })
}

async function fetchBatch(
  { outgoing, remote, gitdir, store, limits, signal, onBytes }: MissingOptions,
  { wants, maxBytes }: { wants: string[]; maxBytes: number },
): Promise<{ bytes: number; skipped: boolean; file: PackFile }> {
  const path = join(gitdir, 'incoming.pack')
  try {
    const pack = await fetchObjects(outgoing, remote, {
      ...{ wants, haves: [], shallow: [], withoutHistory: false, withoutBlobs: false },
      ...{ maxBytes, timeoutMs: limits.jobTimeoutMs, signal, path, ...(onBytes && { onBytes }) },
    })
    const { entries, checksum, skipped } = await indexIncoming(path, limits, signal)
    const name = await addPack(gitdir, { path, checksum, entries }, await readState(gitdir))
    const file = await openPackFile(`${name}.pack`)
    store.add(await openPack(file.reader, await readFile(`${name}.idx`)))
    return { bytes: pack.bytes, skipped, file }
  } finally {
    await rm(path, { force: true })
  }
}
