import type { ImportManifest } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import { createId } from '@recto/operation'
import type { z } from 'zod'
import { build, type NodeHash } from '../content-map/content-map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { keptName } from './kept-settings.rules.ts'
import { type SourcePage, matchPages } from './match-pages.ts'
import { assignRecordIds } from './match-records.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'

type Manifest = z.output<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]
type ManifestCover = NonNullable<Extract<ManifestPage, { type: 'document' }>['cover']>

/** The roots of the maps of an import, with the nodes to store. */
export interface ImportedMaps {
  pagesRoot: NodeHash
  filesRoot: NodeHash
  reusableRoot: NodeHash
  nodes: Map<NodeHash, string>
}

/** The revisions that an import is compared with. */
interface EarlierRevisions {
  /** Main content before the import. */
  before: RevisionRow
  /** The last synchronisation with the same branch. */
  synchronised: RevisionRow | undefined
}

/**
 * Builds the maps of an import. Pages and files keep the ids that they have in the previous revision, and settings that the repository
 * does not have; `hasAllSettings` tells that the repository has all of them.
 */
export async function buildImportMaps(
  db: Db,
  manifest: Manifest,
  { before, synchronised }: EarlierRevisions,
): Promise<{ maps: ImportedMaps; hasAllSettings: boolean }> {
  // Sequentially: a transaction has one connection.
  const pages = await loadPageIndex(db, before)
  const files = await loadFileIndex(db, before.filesRoot)
  const reusable = await loadReusableContents(db, before.reusableRoot)
  const isTold = manifest.settingsFile === 'read' || manifest.settingsFile === 'absent'
  const last = isTold && synchronised?.git?.hasAllSettings ? synchronised : undefined
  const lastFiles = last && (await loadFileIndex(db, last.filesRoot))
  let keepsSettings = !isTold
  const matchedFiles = assignRecordIds<FileRecord & { hasOwnName?: boolean }>(
    manifest.files as Omit<FileRecord, 'id'>[],
    files.inOrder,
    { hashOf: file => file.hash, newId: createId },
  )
  const newFiles = matchedFiles.map(({ hasOwnName, ...file }): FileRecord => {
    const name = hasOwnName ? undefined : keptName(file, files.get(file.id), lastFiles?.get(file.id))
    if (name !== undefined) keepsSettings = true
    return name === undefined ? file : { ...file, name }
  })
  const newReusable = assignRecordIds<ReusableRecord>(manifest.reusableContents, reusable, {
    hashOf: item => item.document,
    newId: createId,
  })
  const fileIds = new Map(newFiles.map(file => [file.git?.path, file.id]))
  const sourcePages = manifest.pages.map(page => sourcePage(page, fileIds))
  const newPages = matchPages(sourcePages, pages.inOrder(), {
    newId: createId,
    now: new Date().toISOString(),
    root: before.configuration?.root ?? '',
    synchronised: last && (await loadPageIndex(db, last)),
    onKept: () => (keepsSettings = true),
  })
  const built = [newPages, newFiles, newReusable].map(records =>
    build((records as (PageRecord | FileRecord | ReusableRecord)[]).map(record => [record.id, record])),
  )
  const [pagesRoot = '', filesRoot = '', reusableRoot = ''] = built.map(({ root }) => root)
  const maps = { pagesRoot, filesRoot, reusableRoot, nodes: new Map(built.flatMap(({ nodes }) => [...nodes])) }
  return { maps, hasAllSettings: !keepsSettings }
}

function sourcePage(page: ManifestPage, fileIds: Map<string | undefined, string>): SourcePage {
  const pages = 'pages' in page ? page.pages.map(child => sourcePage(child, fileIds)) : []
  const cover = 'cover' in page && page.cover ? { cover: coverOf(page.cover, fileIds) } : {}
  return { ...page, ...cover, pages } as SourcePage
}

/** A page's cover; images that are files of the repository become references to them. */
function coverOf(cover: ManifestCover, fileIds: Map<string | undefined, string>): Record<string, unknown> {
  const { path, pathDark, ...rest } = cover
  const reference = (name: 'ref' | 'refDark', of: string | undefined) => {
    const file = of === undefined ? undefined : fileIds.get(of)
    return file === undefined ? {} : { [name]: { kind: 'file', file } }
  }
  return { ...rest, ...reference('ref', path), ...reference('refDark', pathDark) }
}
