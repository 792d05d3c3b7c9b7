import type { Limits, Warning } from '@recto/repository-content'
import type { CloneCache } from '../clones/clone-cache.ts'
import { nothingMissing } from '../clones/missing-files.ts'
import { type PackBlobs, uploadMissing, usePack } from '../clones/use-pack.ts'
import type { Blobs, KnownBlob } from '../files/blob-uploader.ts'
import { importCommit, type OnProgress } from './import-commit.ts'
import { type ImportResult, storeManifest } from './store-manifest.ts'

/** The push to import, with the blob of its pack, which is undefined when it is gone. */
export interface PushRequest {
  pack: string | undefined
  commit: string
  projectDirectory?: string | undefined
  known: KnownBlob[]
}

/** Dependencies and limits of the import of a push. */
export interface PushTools {
  cache: Pick<CloneCache, 'withFolder'>
  blobs: Blobs & PackBlobs
  limits: Limits
  signal: AbortSignal
  warnings: Warning[]
  onProgress: OnProgress
}

/** Uploads the content of a pushed commit, as that of a fetched one. Its pack is in a folder of its own, which is removed. */
export async function importPush(request: PushRequest, tools: PushTools): Promise<ImportResult> {
  const { pack, commit: oid, projectDirectory, known } = request
  const { cache, blobs, limits, signal, onProgress } = tools
  if (pack === undefined) throw uploadMissing()
  return cache.withFolder(folder => {
    signal.throwIfAborted()
    onProgress('repo_fetch', { done: 0, total: 0 })
    const onBytes = (bytes: number) => onProgress('repo_fetch', { done: bytes, total: bytes })
    return usePack({ blobs, pack, oid, folder, limits, signal, onBytes }, async packedCommit => {
      const warnings: Warning[] = []
      const work = { ...tools, ...packedCommit, missing: nothingMissing, known, warnings, projectDirectory }
      const imported = await importCommit(work).finally(() => tools.warnings.splice(0, Infinity, ...warnings))
      return storeManifest({ ...imported, oid, ref: '' }, tools)
    })
  })
}
