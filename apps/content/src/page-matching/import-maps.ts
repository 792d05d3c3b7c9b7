import type { ImportManifest } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import { createId } from '@recto/operation'
import type { z } from 'zod'
import { build, type NodeHash } from '../content-map/content-map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { KeptInText, RevisionRow } from '../revisions/revision.entity.ts'
import { keptName } from './kept-settings.rules.ts'
import { type SourcePage, matchPages } from './match-pages.ts'
import { assignRecordIds } from './match-records.ts'
import { writeKeptSettings } from './write-kept-settings.ts'
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
  /** The content before the import. */
  before: RevisionRow
  /** The last synchronisation with the same branch, else the last import. */
  last?: EarlierImport | undefined
}

/** The content of an earlier state of the repository. */
export interface EarlierImport {
  revision: RevisionRow
  /** Whether the repository had all settings that Markdown has no place for. */
  hadAllSettings: boolean
  /** By the id of a page, the settings that the repository lacked. */
  kept: Readonly<Record<string, KeptInText>>
}

/** The records of a revision. */
export interface ContentRecords {
  pages: PageRecord[]
  files: FileRecord[]
  reusable: ReusableRecord[]
}

/** The result of an import. */
export interface MatchedImport extends ContentRecords {
  /** The repository has all settings that Markdown has no place for. */
  hasAllSettings: boolean
  /** By the id of a page, the settings that it keeps and the front matter of the commit lacks. */
  kept: Record<string, KeptInText>
}

/** Builds the maps of records. */
export function mapsOf({ pages, files, reusable }: ContentRecords): ImportedMaps {
  const built = [pages, files, reusable].map(records =>
    build((records as (PageRecord | FileRecord | ReusableRecord)[]).map(record => [record.id, record])),
  )
  const [pagesRoot = '', filesRoot = '', reusableRoot = ''] = built.map(({ root }) => root)
  return { pagesRoot, filesRoot, reusableRoot, nodes: new Map(built.flatMap(({ nodes }) => [...nodes])) }
}

/**
 * Makes the records of an import. Pages and files keep the ids that they have in the previous revision, and settings that the repository
 * does not have.
 */
export async function matchImport(
  db: Db,
  manifest: Manifest,
  { before, last }: EarlierRevisions,
): Promise<MatchedImport> {
  // Sequentially: a transaction has one connection.
  const pages = await loadPageIndex(db, before)
  const files = await loadFileIndex(db, before.filesRoot)
  const reusable = await loadReusableContents(db, before.reusableRoot)
  const isTold = manifest.settingsFile === 'read' || manifest.settingsFile === 'absent'
  const hadAllSettings = isTold && last?.hadAllSettings === true
  const lastFiles = hadAllSettings ? await loadFileIndex(db, last.revision.filesRoot) : undefined
  const lastPages = last && (await loadPageIndex(db, last.revision))
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
  const keptTexts: Record<string, KeptInText> = {}
  const now = new Date().toISOString()
  const matchedPages = matchPages(sourcePages, pages.inOrder(), {
    newId: createId,
    now,
    root: before.configuration?.root ?? '',
    last: lastPages && { pages: lastPages, hasAllSettings: hadAllSettings, kept: last.kept },
    onKept: ({ id, document, git }, names) => {
      const textNames = git ? names.filter(name => name !== 'emoji') : []
      if (textNames.length < names.length) keepsSettings = true
      if (git && textNames.length > 0)
        keptTexts[id] = { names: textNames, ...(document !== undefined && { document }), oid: git.oid }
    },
  })
  const newPages = await writeKeptSettings(db, {
    pages: matchedPages,
    kept: keptTexts,
    before: pages,
    files: newFiles,
    now,
  })
  return { pages: newPages, files: newFiles, reusable: newReusable, hasAllSettings: !keepsSettings, kept: keptTexts }
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
