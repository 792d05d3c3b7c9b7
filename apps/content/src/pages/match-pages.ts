import { canonicalJson } from '../store/content-map/content-map.ts'
import type { PageRecord } from '../store/revisions/records.ts'
import { indexPages } from './page-tree.ts'
import { pageFile } from './repository-files.ts'
import { ordersFor } from './sibling-orders.ts'

/** A page of an import, before it has an id. */
export interface FoundPage extends Omit<PageRecord, 'id' | 'parent' | 'order' | 'createdAt' | 'updatedAt'> {
  pages: FoundPage[]
}

interface Matching {
  newId(): string
  /** Time of the import, ISO 8601. */
  now: string
}

interface ImportedPage {
  found: FoundPage
  parent: ImportedPage | null
  id?: string
}

/**
 * Assigns ids to the pages of an import: those of the previous pages with the same path in the repository, then with the same
 * content where that is unambiguous, then, for entries without file, with the same type, title and parent; else new ids. A matched
 * page keeps `updatedAt` unless it changed.
 */
export function matchPages(found: FoundPage[], previous: PageRecord[], matching: Matching): PageRecord[] {
  const flattened = flatten(found, null)
  // In tree order, so that pages that are alike in all respects are matched by their sequence.
  const known = indexPages(previous).inOrder()
  const free = new Map(known.map(record => [record.id, record]))
  const take = (page: ImportedPage, record: PageRecord | undefined): void => {
    if (!record || page.id !== undefined || !free.delete(record.id)) return
    page.id = record.id
  }
  takeByPath(flattened, known, take)
  const byContent = uniqueBy([...free.values()], record => record.document)
  const wanted = uniqueBy(
    flattened.filter(page => page.id === undefined),
    page => page.found.document,
  )
  for (const [hash, page] of wanted) take(page, byContent.get(hash))
  takeWithoutFile(flattened, { free, take, newId: matching.newId })
  const before = new Map(known.map(record => [record.id, record]))
  return withOrder(flattened, before).map(record => keepTimes(record, before.get(record.id), matching.now))
}

type Take = (page: ImportedPage, record: PageRecord | undefined) => void

/** Matches by path in the repository; several pages with one path are matched by their sequence in the tree. */
function takeByPath(flattened: ImportedPage[], known: PageRecord[], take: Take): void {
  const byPath = new Map<string, PageRecord[]>()
  for (const record of known) {
    const file = pageFile(record)
    if (file !== undefined) push(byPath, file, record)
  }
  for (const page of flattened) if (page.found.git) take(page, byPath.get(page.found.git.path)?.shift())
}

/** Matches entries without file. Parents come before children, so that an entry is matched below its matched parent. */
function takeWithoutFile(
  flattened: ImportedPage[],
  { free, take, newId }: { free: Map<string, PageRecord>; take: Take; newId(): string },
): void {
  const key = (type: string, title: string, parent: string | null) => JSON.stringify([type, title, parent])
  const waiting = new Map<string, PageRecord[]>()
  for (const record of free.values()) {
    if (pageFile(record) !== undefined) continue
    push(waiting, key(record.type, record.title, record.parent), record)
  }
  for (const page of flattened) {
    if (page.id === undefined && !page.found.git)
      take(page, waiting.get(key(page.found.type, page.found.title, page.parent?.id ?? null))?.shift())
    page.id ??= newId()
  }
}

function flatten(found: FoundPage[], parent: ImportedPage | null): ImportedPage[] {
  return found.flatMap(page => {
    const flattened: ImportedPage = { found: page, parent }
    return [flattened, ...flatten(page.pages, flattened)]
  })
}

function withOrder(
  flattened: ImportedPage[],
  before: Map<string, PageRecord>,
): Omit<PageRecord, 'createdAt' | 'updatedAt'>[] {
  const siblings = new Map<ImportedPage | null, ImportedPage[]>()
  for (const page of flattened) push(siblings, page.parent, page)
  const orders = new Map<ImportedPage, string>()
  for (const group of siblings.values()) {
    const keys = ordersFor(
      group.map(({ id = '', parent }) => ({ id, order: orderBelow(before.get(id), parent?.id ?? null) })),
    )
    group.forEach((page, index) => orders.set(page, keys[index] ?? ''))
  }
  return flattened.map(page => recordOf(page, orders.get(page) ?? ''))
}

/** The fractional index a page keeps: it means something only below the same parent. */
function orderBelow(record: PageRecord | undefined, parent: string | null): string | undefined {
  return record?.parent === parent ? record.order : undefined
}

function recordOf(
  { found, id = '', parent }: ImportedPage,
  order: string,
): Omit<PageRecord, 'createdAt' | 'updatedAt'> {
  const record: Partial<FoundPage> & Pick<FoundPage, 'type' | 'title'> = { ...found }
  delete record.pages
  return { ...record, id, parent: parent?.id ?? null, order }
}

function keepTimes(
  record: Omit<PageRecord, 'createdAt' | 'updatedAt'>,
  before: PageRecord | undefined,
  now: string,
): PageRecord {
  if (!before) return { ...record, createdAt: now, updatedAt: now }
  const { createdAt, updatedAt, ...old } = before
  return { ...record, createdAt, updatedAt: canonicalJson(old) === canonicalJson(record) ? updatedAt : now }
}

/** Values by key, without those that share a key. */
function uniqueBy<T>(values: T[], keyOf: (value: T) => string | undefined): Map<string, T> {
  const found = new Map<string, T | undefined>()
  for (const value of values) {
    const key = keyOf(value)
    if (key !== undefined) found.set(key, found.has(key) ? undefined : value)
  }
  return new Map([...found].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function push<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
