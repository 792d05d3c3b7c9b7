import type { Outgoing } from '@recto/outgoing'
import type { Warning, Limits } from '@recto/repository-content'
import type { CloneCache } from '../clones/clone-cache.ts'
import type { Source } from '../remote/discover.ts'
import type { Blobs, KnownBlob } from '../files/blob-uploader.ts'
import { importCommit, type OnProgress } from './import-commit.ts'
import { type FetchedBranch, useBranch } from '../clones/use-branch.ts'
import { type ImportResult, storeManifest } from './store-manifest.ts'

/** The import to run, as content describes it. */
export interface ImportRequest extends Source {
  organizationId: string
  spaceId: string
  ref: string
  repoCacheID?: string | undefined
  projectDirectory?: string | undefined
  known: KnownBlob[]
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

/** Fetches a branch into the cache and uploads its content. */
export function importRepository(request: ImportRequest, tools: ImportTools): Promise<ImportResult> {
  return tools.cache.use(request, async clone => {
    const { outgoing, limits, signal, onProgress } = tools
    signal.throwIfAborted()
    onProgress('repo_fetch', { done: 0, total: 0 })
    const onBytes = (bytes: number) => onProgress('repo_fetch', { done: bytes, total: bytes })
    return useBranch({ clone, outgoing, source: request, ref: request.ref, limits, signal, onBytes }, branch =>
      uploadBranch(branch, { request, tools, gitdir: clone.gitdir }),
    )
  })
}

async function uploadBranch(
  branch: FetchedBranch,
  { request, tools, gitdir }: { request: ImportRequest; tools: ImportTools; gitdir: string },
): Promise<ImportResult> {
  const warnings: Warning[] = []
  const work = { ...tools, ...branch, known: request.known, warnings, projectDirectory: request.projectDirectory }
  const key = { gitdir, oid: branch.oid, projectDirectory: request.projectDirectory }
  const { manifests } = tools.cache
  const cached = manifests.get(key, request.known)
  const { commit, manifest } =
    cached ?? (await importCommit(work).finally(() => tools.warnings.splice(0, Infinity, ...warnings)))
  if (!cached) manifests.set(key, { commit, manifest })
  return storeManifest({ commit, manifest, oid: branch.oid, ref: request.ref }, tools)
}
