import { byKey, type Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { diff, entries, type NodeHash } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { indexPages, type PageIndex } from './page-tree.ts'

/** The files of a revision, by id, and in the order of `fileKey`. */
export interface FileIndex {
  inOrder: FileRecord[]
  get(id: string): FileRecord | undefined
}

const cachedRecords = 200_000
const pageIndexes = new LRUCache<NodeHash, PageIndex>({
  maxSize: cachedRecords,
  sizeCalculation: ({ size }) => size + 1,
})
const fileIndexes = new LRUCache<NodeHash, FileIndex>({
  maxSize: cachedRecords,
  sizeCalculation: index => index.inOrder.length + 1,
})
/** The last indexed map of pages of each space; the map of the next revision differs little. */
const lastPages = new LRUCache<string, NodeHash>({ max: 10_000 })

/** The page tree of a revision, cached in this process; it is derived from that of another revision of the space where one is cached. */
export async function loadPageIndex(
  db: Db,
  { spaceId, pagesRoot }: Pick<RevisionRow, 'spaceId' | 'pagesRoot'>,
): Promise<PageIndex> {
  const cachedIndex = pageIndexes.get(pagesRoot)
  if (cachedIndex) return cachedIndex
  const index = await derivePageIndex(db, spaceId, pagesRoot)
  cachePageIndex({ spaceId, pagesRoot }, index)
  return index
}

/** Caches the page tree of a revision that this process has just written. */
export function cachePageIndex(
  { spaceId, pagesRoot }: Pick<RevisionRow, 'spaceId' | 'pagesRoot'>,
  index: PageIndex,
): void {
  pageIndexes.set(pagesRoot, index)
  lastPages.set(spaceId, pagesRoot)
}

async function derivePageIndex(db: Db, spaceId: string, root: NodeHash): Promise<PageIndex> {
  const last = lastPages.get(spaceId)
  const lastIndex = last === undefined ? undefined : pageIndexes.get(last)
  if (last !== undefined && lastIndex) return lastIndex.update(await diff<PageRecord>(nodeStore(db), last, root))
  const records = await entries<PageRecord>(nodeStore(db), root)
  return indexPages(records.map(([, record]) => record))
}

/** The files of a map of files, cached in this process. */
export async function loadFileIndex(db: Db, root: NodeHash): Promise<FileIndex> {
  const cachedIndex = fileIndexes.get(root)
  if (cachedIndex) return cachedIndex
  const records = new Map(await entries<FileRecord>(nodeStore(db), root))
  const index = { inOrder: [...records.values()].sort(byKey(fileKey)), get: (id: string) => records.get(id) }
  fileIndexes.set(root, index)
  return index
}

/** The reusable contents of a map, by title. */
export async function loadReusableContents(db: Db, root: NodeHash): Promise<ReusableRecord[]> {
  const recordsById = await entries<ReusableRecord>(nodeStore(db), root)
  return recordsById.map(([, record]) => record).sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** The key by which files are ordered and paged: name, then id. */
export const fileKey = ({ name, id }: FileRecord): string[] => [name, id]
