import { type DocumentBlock, type JSONDocument, textOf } from '@recto/markdown'
import { elementsOf, findNode } from './comment-target.rules.ts'

/** The names of a cell: of its row and of its column. */
export interface CellIds {
  record: string
  definition: string
}

/** The ids of a cell that was followed, and that of the block that it is in: where this was the table, the key that the table has now. */
export interface FollowedCell {
  tableCell: CellIds
  node: string | undefined
}

/** A row by the texts of its cells, which are compared without their format. */
interface Row {
  id: string
  texts: string[]
}

interface Table {
  key: string | undefined
  columns: { id: string; title: string }[]
  rows: Row[]
}

/** A cell by the places of its row and its column. */
interface Place {
  table: Table
  row: number
  column: number
}

/** Columns of the same table before and after; undefined for one that is gone. */
type Columns = (number | undefined)[]

type Document = Pick<JSONDocument, 'nodes'>
interface Target {
  tableCell: CellIds
  /** The block that the table is in, or that is the table. */
  node?: string | undefined
}

/**
 * Finds the cell of a table in another version of its page; undefined when it is gone or has another text.
 *
 * | of a cell                                          | is followed                                                        |
 * | -------------------------------------------------- | ------------------------------------------------------------------ |
 * | its table: unchanged                               | by its key                                                         |
 * | its table: edited                                  | to the table that has most of its rows and titles, if each is the  |
 * |                                                    | other's likest                                                     |
 * | its column: kept or moved                          | by the title; of equal titles by their order                       |
 * | its column: renamed                                | by its place, if there are as many columns                         |
 * | its row: added above, moved, others edited         | by the texts of the row; of equal rows by their order              |
 * | its row: another cell edited                       | to the new row with the same text in the cell and most equal cells |
 * | its row: all other cells edited                    | the same, at the same place between the rows that stayed           |
 * | its own text: edited                               | not                                                                |
 * | its row, its column, its table: removed            | not                                                                |
 */
export function followCell(before: Document, after: Document, target: Target): FollowedCell | undefined {
  const origin = findCell(before, target)
  if (!origin) return undefined
  const table = tableAfter(origin.table, tablesOf(before), tablesIn(after, target.node) ?? tablesOf(after))
  if (!table) return undefined
  const columns = matchColumns(origin.table, table)
  const column = columns[origin.column]
  if (column === undefined) return undefined
  const row = matchRow({ before: origin.table, after: table, columns }, origin)
  const record = row?.id
  const definition = table.columns[column]?.id
  return record === undefined || definition === undefined
    ? undefined
    : { tableCell: { record, definition }, node: target.node === origin.table.key ? table.key : target.node }
}

/** Ids of rows and columns were once their places, and comments of that time have them. */
export function isPlaceId({ record, definition }: CellIds): boolean {
  return /^row-\d{1,6}$/.test(record) && /^column-\d{1,6}$/.test(definition)
}

/** The first cell of a document, or of one of its nodes, with some ids. */
function findCell(document: Document, { tableCell, node }: Target): Place | undefined {
  const { record, definition } = tableCell
  const isNamed = node !== undefined && !(isPlaceId(tableCell) && !findNode(document, node))
  const tables = (isNamed ? tablesIn(document, node) : tablesOf(document)) ?? []
  for (const table of tables) {
    const row = table.rows.findIndex(({ id }) => id === record)
    const column = table.columns.findIndex(({ id }) => id === definition)
    if (row >= 0 && column >= 0) return { table, row, column }
  }
  if (!isPlaceId(tableCell)) return undefined
  const [row, column] = [record, definition].map(id => Number(id.split('-')[1]) - 1) as [number, number]
  const table = tables.find(({ rows, columns }) => rows[row] && columns[column])
  return table && { table, row, column }
}

function tablesIn(document: Document, id: string | undefined): Table[] | undefined {
  const node = id === undefined ? undefined : findNode(document, id)
  return node && tablesOf({ nodes: [node as DocumentBlock] })
}

function tablesOf({ nodes }: Document): Table[] {
  return elementsOf(nodes).flatMap(node => (node.object === 'block' && node.type === 'table' ? [readTable(node)] : []))
}

interface TableRecord {
  values?: Record<string, unknown>
  labels?: Record<string, string[]>
}

function readTable({ key, data = {}, fragments = [] }: DocumentBlock): Table {
  const definition = (data['definition'] ?? {}) as Record<string, { title?: string }>
  const records = (data['records'] ?? {}) as Record<string, TableRecord>
  const columns = Object.entries(definition).map(([id, { title = '' }]) => ({ id, title }))
  const texts = new Map(fragments.map(({ fragment, nodes }) => [fragment, textOf({ ...emptyDocument, nodes })]))
  const textOfCell = ({ values = {}, labels = {} }: TableRecord, id: string) => {
    const value = values[id]
    const text = typeof value === 'string' ? texts.get(value) : undefined
    return text ?? (value === undefined ? '' : JSON.stringify([value, labels[id]]))
  }
  const rows = Object.entries(records).map(([id, record]) => {
    return { id, texts: columns.map(column => textOfCell(record, column.id)) }
  })
  return { key, columns, rows }
}

const emptyDocument = { object: 'document' as const, data: { schemaVersion: 0 } }

/** The table that another one has become. */
function tableAfter(table: Table, before: Table[], after: Table[]): Table | undefined {
  const unchanged = after.find(({ key }) => key === table.key)
  if (unchanged) return unchanged
  const [keysBefore, keysAfter] = [before, after].map(tables => new Set(tables.map(({ key }) => key)))
  const next = likest(
    table,
    after.filter(({ key }) => !keysBefore?.has(key)),
  )
  const previous =
    next &&
    likest(
      next,
      before.filter(({ key }) => !keysAfter?.has(key)),
    )
  return previous?.key === table.key ? next : undefined
}

/** The first of the tables with most rows and titles of one; undefined when none has any. */
function likest(table: Table, others: Table[]): Table | undefined {
  const said = new Set(saidIn(table))
  let best: { table: Table; likeness: number } | undefined
  for (const other of others) {
    const likeness = saidIn(other).filter(text => said.has(text)).length
    if (likeness > (best?.likeness ?? 0)) best = { table: other, likeness }
  }
  return best?.table
}

function saidIn({ columns, rows }: Table): string[] {
  return [...columns.map(({ title }) => `column ${title}`), ...rows.map(({ texts }) => `row ${JSON.stringify(texts)}`)]
}

function matchColumns(before: Table, after: Table): Columns {
  const namesAfter = numbered(after.columns.map(({ title }) => title))
  const namesBefore = numbered(before.columns.map(({ title }) => title))
  const placesAfter = new Map(namesAfter.map((name, at) => [name, at]))
  const oldNames = new Set(namesBefore)
  const isSameSize = namesAfter.length === namesBefore.length
  return namesBefore.map((name, at) => {
    const isRenamed = isSameSize && !oldNames.has(namesAfter[at] ?? '')
    return placesAfter.get(name) ?? (isRenamed ? at : undefined)
  })
}

/** Names with the number that each has among equal ones. */
function numbered(names: string[]): string[] {
  const counts = new Map<string, number>()
  return names.map(name => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${count} ${name}`
  })
}

interface Tables {
  before: Table
  after: Table
  columns: Columns
}

/** The row that another one has become, if its cell in a column has the same text. */
function matchRow({ before, after, columns }: Tables, { row, column }: Place): Row | undefined {
  const commonColumns = columns.flatMap((to, from) => (to === undefined ? [] : [{ from, to }]))
  const textsBefore = before.rows.map(({ texts }) => commonColumns.map(({ from }) => texts[from] ?? ''))
  const textsAfter = after.rows.map(({ texts }) => commonColumns.map(({ to }) => texts[to] ?? ''))
  const namesBefore = numbered(textsBefore.map(texts => JSON.stringify(texts)))
  const namesAfter = numbered(textsAfter.map(texts => JSON.stringify(texts)))
  const placesAfter = new Map(namesAfter.map((name, at) => [name, at]))
  const partners = namesBefore.map(name => placesAfter.get(name))
  const partner = partners[row]
  if (partner !== undefined) return after.rows[partner]
  const matches = new Set(partners)
  const own = commonColumns.findIndex(({ from }) => from === column)
  const isSameCell = (at: number) => textsAfter[at]?.[own] === textsBefore[row]?.[own]
  const newRows = namesAfter.map((_name, at) => at).filter(at => !matches.has(at))
  const lostRows = partners.flatMap((at, from) => (at === undefined ? [from] : []))
  const likeness = (from: number, to: number, except?: number) =>
    (textsBefore[from] ?? []).filter((text, at) => at !== except && text !== '' && text === textsAfter[to]?.[at]).length
  let best: { at: number; likeness: number } | undefined
  for (const at of newRows.filter(isSameCell)) {
    const equal = likeness(row, at, own)
    if (equal > (best?.likeness ?? 0)) best = { at, likeness: equal }
  }
  if (best) {
    const { at } = best
    const isLikest = lostRows.every(other => likeness(other, at) <= likeness(row, at))
    return isLikest ? after.rows[at] : undefined
  }
  const at = samePlace({ partners, newRows, size: textsAfter.length }, row)
  return at !== undefined && isSameCell(at) ? after.rows[at] : undefined
}

/** The place of a row between the rows that stayed around it, if there are as many rows between them as before. */
function samePlace(
  { partners, newRows, size }: { partners: (number | undefined)[]; newRows: number[]; size: number },
  row: number,
): number | undefined {
  const first = partners.findLastIndex((at, from) => from < row && at !== undefined)
  const next = partners.findIndex((at, from) => from > row && at !== undefined)
  const start = first < 0 ? -1 : (partners[first] ?? -1)
  const end = next < 0 ? size : (partners[next] ?? size)
  const between = newRows.filter(at => at > start && at < end)
  const rowsBefore = (next < 0 ? partners.length : next) - first - 1
  return between.length === rowsBefore ? between[row - first - 1] : undefined
}
