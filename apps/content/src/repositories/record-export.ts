import type { ExportManifest } from '@recto/contracts-git-worker-bus'
import type { Transaction } from '@recto/database'
import type { z } from 'zod'
import { writeChanges } from '../editing/write-revision.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { GitCommit, RevisionRow } from '../revisions/revision.entity.ts'

type Manifest = z.output<typeof ExportManifest>
type InRepository = Pick<PageRecord, 'git' | 'file'>

/** The commit of an export, and the user who requested it. */
interface ExportedCommit {
  git: GitCommit
  createdBy: string
}

/**
 * Writes a revision with the commit: the exported content, with the path and the object of each page and file. Resolves to the exported
 * revision itself when that has all of it.
 */
export async function recordExport(
  tx: Transaction,
  exported: RevisionRow,
  { manifest, git, createdBy }: ExportedCommit & { manifest: Manifest },
): Promise<string> {
  const exportedPlaces = new Map(manifest.records.map(({ id, path, oid }) => [id, { path, oid }]))
  const changedRecords = <T extends InRepository & { id: string }>(records: T[]) =>
    new Map(
      records.flatMap(record => {
        const place = exportedPlaces.get(record.id)
        const isKnown = !place || (record.git?.path === place.path && record.git.oid === place.oid)
        return isKnown ? [] : [[record.id, withGit(record, place)] as const]
      }),
    )
  const pages = changedRecords<PageRecord>((await loadPageIndex(tx, exported)).inOrder())
  const files = changedRecords<FileRecord>((await loadFileIndex(tx, exported.filesRoot)).inOrder)
  const reusable = changedRecords<ReusableRecord>(await loadReusableContents(tx, exported.reusableRoot))
  const isKnown = pages.size + files.size + reusable.size === 0
  if (isKnown && !git.createdByService) return exported.id
  // A worker of the version before knows no tags.
  const tags = manifest.configuration.tags ?? exported.configuration?.tags
  const configuration = { ...manifest.configuration, ...(tags && { tags }) }
  const { revision } = await writeChanges(tx, exported, { pages, files, reusable, configuration, git, createdBy })
  return revision
}

function withGit<T extends InRepository>({ file: _file, ...record }: T, git: { path: string; oid: string }): T {
  return { ...record, git } as T
}
