import type { Db } from '@recto/database'
import { filePath, pageFile, reusableFile } from '../pages/repository-files.ts'
import { loadFileIndex, loadReusableContents, type FileIndex } from '../pages/revision-index.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import * as spaces from '../resources/spaces.repository.ts'
import * as specifications from '../computed-pages/specifications.repository.ts'
import { indexPages, type PageIndex } from '../pages/page-tree.ts'
import { diff, emptyRoot, type Difference } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** The difference between content of a space and the revision that its projections show. */
export interface MainChange {
  spaceId: string
  /** Whether nothing of the space is projected; all rows of earlier projections are obsolete then. */
  isFirst: boolean
  /** The page tree that the projections show; `after` is the next one. */
  before: PageIndex
  after: PageIndex
  pages: Difference<PageRecord>[]
  files: FileIndex
  fileDifferences: Difference<FileRecord>[]
  reusable: ReusableRecord[]
  reusableDifferences: Difference<ReusableRecord>[]
  /** The slugs of the specifications that the organization has. */
  specs: ReadonlySet<string>
  /** The compared revision: the one that the projections are to show, or that of a change request. */
  revision: RevisionRow
  /** Whether a path, a place or the existence of a page changed, so that pages beside the changed ones may be affected. */
  isTreeChanged: boolean
  /** Whether a file or a reusable content was added, removed or renamed. */
  areFilesChanged: boolean
}

const noPages = indexPages([])

/** The difference between two revisions of a space; without `from`, everything is new. */
export async function mainChange(db: Db, from: RevisionRow | undefined, revision: RevisionRow): Promise<MainChange> {
  const store = nodeStore(db)
  // Sequentially: a transaction has one connection.
  const before = from ? await loadShownPages(db, from) : noPages
  const after = await loadShownPages(db, revision)
  const pages = shownDifferences(await diff<PageRecord>(store, from?.pagesRoot ?? emptyRoot, revision.pagesRoot), {
    before,
    after,
  })
  const files = await diff<FileRecord>(store, from?.filesRoot ?? emptyRoot, revision.filesRoot)
  const reusable = await diff<ReusableRecord>(store, from?.reusableRoot ?? emptyRoot, revision.reusableRoot)
  return {
    spaceId: revision.spaceId,
    isFirst: from === undefined,
    before,
    after,
    specs: await specifications.slugsOf(db, (await spaces.find(db, revision.spaceId))?.organizationId ?? ''),
    pages,
    files: await loadFileIndex(db, revision.filesRoot),
    fileDifferences: files,
    reusableDifferences: reusable,
    reusable: await loadReusableContents(db, revision.reusableRoot),
    revision,
    isTreeChanged: pages.some(isTreeDifference),
    areFilesChanged: files.some(isFileDifference) || reusable.some(isFileDifference),
  }
}

/** Differences of page trees and of their computed pages, without the declarations that computed pages replace. */
function shownDifferences(
  declared: Difference<PageRecord>[],
  { before, after }: Pick<MainChange, 'before' | 'after'>,
): Difference<PageRecord>[] {
  const computed = [before, after].flatMap(index => index.computed.map(({ id }) => id))
  const sources = [before, after].flatMap(index =>
    index.hasComputed ? index.inOrder().filter(({ type }) => type === 'computed') : [],
  )
  if (computed.length === 0 && sources.length === 0) return declared
  const ids = new Set([...declared.map(({ id }) => id), ...computed, ...sources.map(({ id }) => id)])
  return [...ids].flatMap(id => {
    const from = before.get(id)
    const to = after.get(id)
    return JSON.stringify(from) === JSON.stringify(to)
      ? []
      : [{ id, ...(from && { before: from }), ...(to && { after: to }) }]
  })
}

/** Whether a change of a page can affect other pages: any but a change of its text, title and icon. */
export function isTreeDifference({ before, after }: Difference<PageRecord>): boolean {
  const place = (page: PageRecord | undefined) =>
    page && JSON.stringify([page.type, page.parent, page.slug, page.order, page.noIndex === true, pageFile(page)])
  return place(before) !== place(after)
}

/** The pages whose text or references may have changed. */
export function rewrittenPages({ pages }: MainChange): PageRecord[] {
  const source = (page: PageRecord | undefined) =>
    page && JSON.stringify([page.type, page.document, page.href, page.cover?.ref, page.cover?.refDark])
  return pages.flatMap(({ before, after }) => (after && source(before) !== source(after) ? [after] : []))
}

/** The reusable contents whose text has changed. */
export function rewrittenReusable({ reusableDifferences }: MainChange): ReusableRecord[] {
  return reusableDifferences.flatMap(({ before, after }) =>
    after && before?.document !== after.document ? [after] : [],
  )
}

/** The ids of the reusable contents that are gone. */
export function removedReusable({ reusableDifferences }: MainChange): string[] {
  return reusableDifferences.flatMap(({ id, after }) => (after ? [] : [id]))
}

/** The ids of the pages that are gone. */
export function removedPages({ pages }: MainChange): string[] {
  return pages.flatMap(({ id, after }) => (after ? [] : [id]))
}

function isFileDifference({ before, after }: Difference<FileRecord | ReusableRecord>): boolean {
  const name = (file: FileRecord | ReusableRecord | undefined) =>
    file && JSON.stringify('name' in file ? [file.name, filePath(file)] : [reusableFile(file)])
  return name(before) !== name(after)
}
