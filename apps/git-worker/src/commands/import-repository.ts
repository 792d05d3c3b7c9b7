import type { Outgoing } from '@recto/outgoing'
import { ImportFailure, truncateMiddle, type Warning } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import { withImportFailures } from '../models/pack-failure.ts'
import { clearRepository } from './bare-repository.ts'
import type { CloneCache } from './clone-cache.ts'
import type { Source } from './discover.ts'
import { fetchBranch, type FetchedBranch, isOfIncompleteClone } from './fetch-branch.ts'
import type { Blobs, Known } from './blob-uploader.ts'
import { importCommit, type OnProgress } from './import-commit.ts'
import { missingOf } from './missing-files.ts'
import { openClone } from './open-clone.ts'

/** Characters of a commit message that are kept. */
const maxMessageLength = 10_000

/** What to import, as content describes it. */
export interface ImportRequest extends Source {
  spaceId: string
  ref: string
  repoCacheID?: string | undefined
  projectDirectory?: string | undefined
  known: Known[]
}

/** Dependencies and limits of an import. */
export interface ImportTools {
  outgoing: Outgoing
  cache: CloneCache
  blobs: Blobs
  limits: Limits
  signal: AbortSignal
  warnings: Warning[]
  onProgress: OnProgress
}

/** The commit that was imported, and the blob that describes it. */
export interface Imported {
  commit: { oid: string; message: string; ref: string }
  manifest: string
}

/** Fetches a branch into the cache and uploads its content. An incomplete clone is deleted and fetched again, once. */
export function importRepository(request: ImportRequest, tools: ImportTools): Promise<Imported> {
  return tools.cache.use(request, async ({ gitdir }) => {
    tools.signal.throwIfAborted()
    const first = await attempt(request, tools, gitdir)
    if (first !== 'incomplete') return first
    await clearRepository(gitdir)
    const second = await attempt(request, tools, gitdir)
    if (second === 'incomplete')
      throw new ImportFailure('invalid_repository', 'The git server did not send all objects of the branch')
    return second
  })
}

async function attempt(request: ImportRequest, tools: ImportTools, gitdir: string): Promise<Imported | 'incomplete'> {
  const { outgoing, limits, signal, onProgress } = tools
  onProgress('repo_fetch', { done: 0, total: 0 })
  const onBytes = (bytes: number) => onProgress('repo_fetch', { done: bytes, total: bytes })
  const branch = await fetchBranch(outgoing, gitdir, { source: request, ref: request.ref, limits, signal, onBytes })
  try {
    return await withImportFailures(() => uploadBranch(branch, { request, tools, gitdir }))
  } catch (error) {
    // A clone that lacks objects must not be the base of an incremental fetch.
    if (branch.skipped) await clearRepository(gitdir)
    if (isOfIncompleteClone(branch, error)) return 'incomplete'
    throw error
  }
}

async function uploadBranch(
  branch: FetchedBranch,
  { request, tools, gitdir }: { request: ImportRequest; tools: ImportTools; gitdir: string },
): Promise<Imported> {
  const { store, close } = await openClone(gitdir, tools.limits)
  const missing = missingOf(branch, { tools, gitdir, store })
  try {
    const warnings: Warning[] = []
    const work = {
      ...tools,
      ...{ store, missing },
      known: request.known,
      warnings,
      oid: branch.oid,
      skipped: branch.skipped,
      projectDirectory: request.projectDirectory,
    }
    const key = { gitdir, oid: branch.oid, projectDirectory: request.projectDirectory }
    const { manifests } = tools.cache
    const cached = manifests.get(key, request.known)
    const { commit, manifest } =
      cached ?? (await importCommit(work).finally(() => tools.warnings.splice(0, Infinity, ...warnings)))
    if (!cached) manifests.set(key, { commit, manifest })
    tools.onProgress('finalize', { done: 0, total: 1 })
    const { hash } = await tools.blobs.put(Buffer.from(JSON.stringify(manifest)))
    return {
      commit: { oid: branch.oid, message: truncateMiddle(commit.message, maxMessageLength), ref: request.ref },
      manifest: hash,
    }
  } finally {
    await missing.close()
    await close()
  }
}
