import type { Db } from '@recto/database'
import { LRUCache } from 'lru-cache'
import { entries, type NodeHash } from '../store/content-map/content-map.ts'
import { indexPages, type PageIndex, type PageRecord } from './page-tree.ts'
import type { FileRecord, ReusableRecord } from '../store/revisions/records.ts'
import { nodeStore } from '../store/revisions/revisions.repository.ts'

/** Files of a revision, by id and in the order in which they are listed. */
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

/** The page tree of a root, derived once per process. */
export async function pagesOf(db: Db, root: NodeHash): Promise<PageIndex> {
  const known = pageIndexes.get(root)
  if (known) return known
  const records = await entries<PageRecord>(nodeStore(db), root)
  const index = indexPages(records.map(([, record]) => record))
  pageIndexes.set(root, index)
  return index
}

/** The files of a root, derived once per process. */
export async function filesOf(db: Db, root: NodeHash): Promise<FileIndex> {
  const known = fileIndexes.get(root)
  if (known) return known
  const records = new Map(await entries<FileRecord>(nodeStore(db), root))
  const index = { inOrder: [...records.values()].sort(byName), get: (id: string) => records.get(id) }
  fileIndexes.set(root, index)
  return index
}

export async function reusableOf(db: Db, root: NodeHash): Promise<ReusableRecord[]> {
  const found = await entries<ReusableRecord>(nodeStore(db), root)
  return found.map(([, record]) => record).sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** Compares by name, then id: unique, so that it can be paged by. */
export function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
