import type { Commit } from '@recto/git-pack'
import { type Manifest, truncateMiddle } from '@recto/repository-content'
import type { Blobs } from '../files/blob-uploader.ts'
import type { OnProgress } from './import-commit.ts'

/** Characters; a longer commit message is cut in the middle. */
const maxMessageLength = 10_000

/** The imported commit, and the blob of its manifest. */
export interface ImportResult {
  commit: { oid: string; message: string; ref: string }
  manifest: string
}

/** A commit whose content is uploaded. */
interface ImportedCommit {
  commit: Commit
  manifest: Manifest
  oid: string
  ref: string
}

/** Stores the manifest of an import as a blob. */
export async function storeManifest(
  { commit, manifest, oid, ref }: ImportedCommit,
  { blobs, onProgress }: { blobs: Blobs; onProgress: OnProgress },
): Promise<ImportResult> {
  onProgress('finalize', { done: 0, total: 1 })
  const { hash } = await blobs.put(Buffer.from(JSON.stringify(manifest)))
  return { commit: { oid, message: truncateMiddle(commit.message, maxMessageLength), ref }, manifest: hash }
}
