import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldFault, type Secrets } from '@recto/operation'
import { query } from './query.ts'
import type { Db } from './open.ts'

/** One page of a list: at most `limit` items after the cursor `page`. */
export interface PageRequest {
  page?: string | undefined
  limit: number
}

/** A page request with the key that signs its cursors; the key must differ for each list, so that a list refuses the cursors of others. */
export type ListRequest = PageRequest & { cursorKey: Secrets }

/** A page in the form of list replies: `count` is the size of the whole list. */
export interface ListPage<Item> {
  items: Item[]
  count: number
  next?: { page: string }
}

/** How a list is read: its rows are ordered by columns that together are unique. */
export interface ListSource {
  /** `select ... from ... where ...`, without order and limit. */
  sql: string
  /** A cheaper `select` of as many rows, with the same values, to count them by; `sql` unless given. */
  counted?: string
  /** Whether each row has the number of rows of the whole list as `listCount`, which saves counting them by another statement. */
  countsItself?: boolean
  values: unknown[]
  /** Columns of the select that order it, none of them null, the last of them unique; with their SQL types for the cursor. */
  order: { column: string; type: string }[]
  direction: 'asc' | 'desc'
}

/** The usual order of a list whose rows have `createdAt` and `id`. */
export const newestFirst = {
  order: [
    { column: 'createdAt', type: 'timestamptz' },
    { column: 'id', type: 'text' },
  ],
  direction: 'desc',
} satisfies Pick<ListSource, 'order' | 'direction'>

/**
 * Reads one page by keyset: the cursor holds the ordering values of the last row, signed with HMAC-SHA-256, so that a page
 * is stable while rows come and go. Two queries however long the list. A cursor that was not issued here is `invalid_request`.
 */
export async function listPage<Row extends object>(
  db: Db,
  source: ListSource,
  request: ListRequest,
): Promise<ListPage<Row>> {
  const after = request.page === undefined ? undefined : readCursor(request.page, request.cursorKey)
  const listing = query<Row & Extras>(db, ...pageSql(source, after, request.limit + 1))
  // The connection of a transaction takes one statement at a time, and the rows may have their count.
  const first = db.queryRunner || source.countsItself ? (await listing)[0] : undefined
  const [rows, count] = await Promise.all([listing, first?.[countColumn] ?? countRows(db, source)])
  const pageRows = rows.slice(0, request.limit)
  const last = pageRows.at(-1)
  return {
    items: pageRows.map(({ [cursorColumn]: _place, [countColumn]: _count, ...row }) => row as unknown as Row),
    count,
    ...(rows.length > pageRows.length && last && { next: { page: signCursor(last[cursorColumn], request.cursorKey) } }),
  }
}

async function countRows(db: Db, source: ListSource): Promise<number> {
  const sql = `select count(*) as count from (${source.counted ?? source.sql}) as listed`
  const [counted] = await query<{ count: number }>(db, sql, source.values)
  return counted?.count ?? 0
}

/** The ordering values of a row as text: a `Date` would lose the microseconds, and the cursor would skip rows. */
const cursorColumn = 'listPlace'
/** See `countsItself`. */
const countColumn = 'listCount'
interface Extras {
  [cursorColumn]: string[]
  [countColumn]?: number
}

function pageSql(source: ListSource, after: unknown[] | undefined, limit: number): [string, unknown[]] {
  const columns = source.order.map(({ column }) => `listed."${column}"`)
  const values = [...source.values]
  let where = ''
  if (after) {
    const placeholders = source.order.map(({ type }, index) => `$${values.length + index + 1}::${type}`)
    where = `where (${columns.join(', ')}) ${source.direction === 'asc' ? '>' : '<'} (${placeholders.join(', ')})`
    values.push(...after)
  }
  const order = columns.map(column => `${column} ${source.direction}`).join(', ')
  values.push(limit)
  const textColumns = columns.map(column => `${column}::text`).join(', ')
  // The cursor values are written for the rows of the page only, and not for all that are sorted.
  const page = `select * from (${source.sql}) as listed ${where} order by ${order} limit $${values.length}`
  return [
    `select listed.*, array[${textColumns}] as "${cursorColumn}" from (${page}) as listed order by ${order}`,
    values,
  ]
}

/** Creates a cursor: the values as JSON in base64url, signed with HMAC-SHA-256 (truncated to 22 characters). */
export function signCursor(values: unknown[], [key]: Secrets): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${payload}.${signature(payload, key)}`
}

/** Reads the values of a cursor; throws `invalid_request` when it was not signed with this key, so not issued for this list. */
export function readCursor(cursor: string, keys: Secrets): unknown[] {
  const [payload = '', signed = '', ...more] = cursor.split('.')
  const cursorBytes = Buffer.from(signed)
  const isSignedWith = (key: string) => {
    const expected = Buffer.from(signature(payload, key))
    return cursorBytes.length === expected.length && timingSafeEqual(cursorBytes, expected)
  }
  if (more.length > 0 || !keys.some(isSignedWith)) {
    throw fieldFault('query.page', 'is not a cursor of this list')
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]
}

function signature(payload: string, key: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url').slice(0, 22)
}

/** The key of an item: strings compared one after another by code unit; no two items of a list have the same. */
export type KeyOf<Item> = (item: Item) => string[]

/**
 * Reads one page of items in memory as `listPage` does of rows: the cursor holds the key of the last item, so a page is stable
 * while items come and go. The items must be in the order of their keys (see `byKey`), ascending unless `order` says otherwise.
 */
export function pageInMemory<Item>(
  items: Item[],
  keyOf: KeyOf<Item>,
  { order = 'asc', ...request }: ListRequest & { order?: 'asc' | 'desc' | undefined },
): ListPage<Item> {
  const compare = order === 'asc' ? compareKeys : (a: string[], b: string[]) => compareKeys(b, a)
  const after = request.page === undefined ? undefined : (readCursor(request.page, request.cursorKey) as string[])
  const start = after === undefined ? 0 : firstAfter(items, item => compare(keyOf(item), after) > 0)
  const page = items.slice(start, start + request.limit)
  const last = page.at(-1)
  return {
    items: page,
    count: items.length,
    ...(last && start + page.length < items.length && { next: { page: signCursor(keyOf(last), request.cursorKey) } }),
  }
}

/** Compares items by their keys, for `Array.sort`. */
export function byKey<Item>(keyOf: KeyOf<Item>): (a: Item, b: Item) => number {
  return (a, b) => compareKeys(keyOf(a), keyOf(b))
}

/** Index of the first item for which the predicate holds, as it does for all items behind it (binary search). */
function firstAfter<Item>(items: Item[], isAfter: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAfter(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

function compareKeys(a: string[], b: string[]): number {
  const differs = a.findIndex((part, index) => part !== b[index])
  if (differs < 0) return 0
  return (a[differs] ?? '') < (b[differs] ?? '') ? -1 : 1
}
