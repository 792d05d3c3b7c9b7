import { canonicalJson } from '../store/content-map/content-map.ts'
import { indexPages } from './page-tree.ts'
import type { PageRecord } from './page-tree.ts'
import { ordersFor } from './sibling-orders.ts'

/** A page that an import found, before it has an id. */
export interface FoundPage extends Omit<PageRecord, 'id' | 'parent' | 'order' | 'createdAt' | 'updatedAt'> {
  pages: FoundPage[]
}

interface Matching {
  newId(): string
  /** ISO 8601; the time of the import. */
  now: string
}

interface Placed {
  found: FoundPage
  parent: Placed | null
  id?: string
}

/**
 * Gives the pages of an import the ids they had before: by path in the repository, then by content, then entries without
 * file by type, title and parent. A page that is found again keeps its times unless something of it changed.
 */
export function matchPages(found: FoundPage[], previous: PageRecord[], matching: Matching): PageRecord[] {
  const placed = flatten(found, null)
  // In tree order, so that what is alike in all respects is told apart by its position.
  const known = indexPages(previous).inOrder()
  const free = new Map(known.map(record => [record.id, record]))
  const take = (page: Placed, record: PageRecord | undefined): void => {
    if (!record || page.id !== undefined || !free.delete(record.id)) return
    page.id = record.id
  }
  takeByPath(placed, known, take)
  const byContent = uniqueBy([...free.values()], record => record.document)
  const wanted = uniqueBy(
    placed.filter(page => page.id === undefined),
    page => page.found.document,
  )
  for (const [hash, page] of wanted) take(page, byContent.get(hash))
  takeWithoutFile(placed, { free, take, newId: matching.newId })
  const before = new Map(known.map(record => [record.id, record]))
  return withOrder(placed, before).map(record => keepTimes(record, before.get(record.id), matching.now))
}

type Take = (page: Placed, record: PageRecord | undefined) => void

/** Should several pages have one path, they are told apart by their sequence in the tree. */
function takeByPath(placed: Placed[], known: PageRecord[], take: Take): void {
  const byPath = new Map<string, PageRecord[]>()
  for (const record of known) if (record.git) push(byPath, record.git.path, record)
  for (const page of placed) if (page.found.git) take(page, byPath.get(page.found.git.path)?.shift())
}

/** Parents come before children, so that an entry without file is matched below the parent that was matched. */
function takeWithoutFile(
  placed: Placed[],
  { free, take, newId }: { free: Map<string, PageRecord>; take: Take; newId(): string },
): void {
  const key = (type: string, title: string, parent: string | null) => JSON.stringify([type, title, parent])
  const waiting = new Map<string, PageRecord[]>()
  for (const record of free.values()) {
    if (record.git) continue
    push(waiting, key(record.type, record.title, record.parent), record)
  }
  for (const page of placed) {
    if (page.id === undefined && !page.found.git)
      take(page, waiting.get(key(page.found.type, page.found.title, page.parent?.id ?? null))?.shift())
    page.id ??= newId()
  }
}

function flatten(found: FoundPage[], parent: Placed | null): Placed[] {
  return found.flatMap(page => {
    const placed: Placed = { found: page, parent }
    return [placed, ...flatten(page.pages, placed)]
  })
}

function withOrder(placed: Placed[], before: Map<string, PageRecord>): Omit<PageRecord, 'createdAt' | 'updatedAt'>[] {
  const siblings = new Map<Placed | null, Placed[]>()
  for (const page of placed) push(siblings, page.parent, page)
  const orders = new Map<Placed, string>()
  for (const group of siblings.values()) {
    const keys = ordersFor(
      group.map(({ id = '', parent }) => ({ id, order: orderBelow(before.get(id), parent?.id ?? null) })),
    )
    group.forEach((page, index) => orders.set(page, keys[index] ?? ''))
  }
  return placed.map(page => recordOf(page, orders.get(page) ?? ''))
}

/** An order says something among the siblings it was given for, and nothing below another parent. */
function orderBelow(record: PageRecord | undefined, parent: string | null): string | undefined {
  return record?.parent === parent ? record.order : undefined
}

function recordOf({ found, id = '', parent }: Placed, order: string): Omit<PageRecord, 'createdAt' | 'updatedAt'> {
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

/** Values that stand alone under their key; where two share one, neither is known for sure. */
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
