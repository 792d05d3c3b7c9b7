import { byKey, type Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { entries, type NodeHash } from '../store/content-map/content-map.ts'
import { nodeStore } from '../store/content/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../store/revisions/records.ts'
import { indexPages, type PageIndex } from './page-tree.ts'

/** The files of a revision, by id, and in the order of `fileKey`. */
export interface FileIndex {
  inOrder: FileRecord[]
  get(id: string): FileRecord | undefined
}

const cachedRecords = 200_000
const pageIndexes = new LRUCache<NodeHash, PageIndex>({
  maxSize: cachedRecords,
  sizeCalculation: index => index.inOrder().length + 1,
})
const fileIndexes = new LRUCache<NodeHash, FileIndex>({
  maxSize: cachedRecords,
  sizeCalculation: index => index.inOrder.length + 1,
})

/** The page tree of a map of pages, cached in this process. */
export async function loadPageIndex(db: Db, root: NodeHash): Promise<PageIndex> {
  const known = pageIndexes.get(root)
  if (known) return known
  const records = await entries<PageRecord>(nodeStore(db), root)
  const index = indexPages(records.map(([, record]) => record))
  pageIndexes.set(root, index)
  return index
}

/** The files of a map of files, cached in this process. */
export async function loadFileIndex(db: Db, root: NodeHash): Promise<FileIndex> {
  const known = fileIndexes.get(root)
  if (known) return known
  const records = new Map(await entries<FileRecord>(nodeStore(db), root))
  const index = { inOrder: [...records.values()].sort(byKey(fileKey)), get: (id: string) => records.get(id) }
  fileIndexes.set(root, index)
  return index
}

/** The reusable contents of a map, by title. */
export async function loadReusableContents(db: Db, root: NodeHash): Promise<ReusableRecord[]> {
  const found = await entries<ReusableRecord>(nodeStore(db), root)
  return found.map(([, record]) => record).sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** The key by which files are ordered and paged: name, then id. */
export const fileKey = ({ name, id }: FileRecord): string[] => [name, id]
