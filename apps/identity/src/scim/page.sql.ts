import { maxScimPage } from '@recto/contracts-identity'
import { query, type Db } from '@recto/database'
import { scimFault } from './scim-fault.ts'

/** The page that a client asks for. */
export interface PageRequest {
  startIndex: number
  count: number
  sortBy?: string | undefined
  sortOrder: 'ascending' | 'descending'
}

/** A page of resources, with the number of all. */
export interface ScimPage<Row> {
  items: Row[]
  total: number
  startIndex: number
}

interface PageSource {
  /** The statement that reads rows, up to its condition. */
  rows: string
  /** The column that identifies a row. */
  key: string
  /** The statement that selects the keys of all rows, without an order. */
  selection: string
  values: unknown[]
  /** The columns of the order. */
  order: readonly string[]
  /** Expressions that clients may sort by, by the names of attributes in lower case. */
  sortKeys: Readonly<Record<string, string>>
  /** The condition that holds for all rows of the source. */
  scope: string
  request: PageRequest
}

/** Reads a page by its index: the keys first, so that rows before it cost no more than an entry of an index. */
export async function readPage<Row>(db: Db, source: PageSource): Promise<ScimPage<Row>> {
  const { request, selection, values, rows, key, scope } = source
  const startIndex = Math.max(request.startIndex, 1)
  const limit = Math.min(Math.max(request.count, 0), maxScimPage)
  const [counted] = await query<{ total: number }>(db, `select count(*)::int as total from (${selection}) keys`, values)
  const total = counted?.total ?? 0
  if (limit === 0 || startIndex > total) return { items: [], total, startIndex }
  const order = orderOf(source)
  const keys = `${selection} order by ${order} offset ${startIndex - 1} limit ${limit}`
  const items = await query<Row>(db, `${rows} where ${scope} and ${key} in (${keys}) order by ${order}`, values)
  return { items, total, startIndex }
}

function orderOf({ request: { sortBy, sortOrder }, order, sortKeys }: PageSource): string {
  const direction = sortOrder === 'descending' ? 'desc' : 'asc'
  if (sortBy === undefined) return order.map(column => `${column} ${direction}`).join(', ')
  const name = sortBy.toLowerCase()
  const sortKey = Object.hasOwn(sortKeys, name) ? sortKeys[name] : undefined
  if (sortKey === undefined) throw scimFault('invalidValue', `sortBy: ${sortBy} is no attribute to sort by`)
  // Values that are absent come last, or first in descending order (RFC 7644, section 3.4.2.3).
  return [sortKey, ...order].map(column => `${column} ${direction}`).join(', ')
}
