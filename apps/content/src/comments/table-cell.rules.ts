import { type DocumentBlock, type JSONDocument, textOf } from '@recto/markdown'
import { elementsOf, findNode } from './comment-target.rules.ts'

/** The ids of a cell: of its row (`record`) and of its column (`definition`). */
export interface CellIds {
  record: string
  definition: string
}

/** The current ids of a cell, and of the block that it is in: for a cell whose block is its table, the current key of the table. */
export interface FollowedCell {
  tableCell: CellIds
  node: string | undefined
}

/** A row with the texts of its cells, which are compared without their format. */
interface Row {
  id: string
  texts: string[]
}

interface Table {
  key: string | undefined
  columns: { id: string; title: string }[]
  rows: Row[]
}

/** A cell by the indices of its row and its column. */
interface CellPosition {
  table: Table
  row: number
  column: number
}

/** For each column before, its index after; undefined for a column that is gone. */
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
 * | change                                      | how the cell is found                                                   |
 * | ------------------------------------------- | ----------------------------------------------------------------------- |
 * | the table is unchanged                      | the table by its key                                                    |
 * | the table is edited                         | the table with most of its rows and titles, if each is the most similar |
 * |                                             | to the other                                                            |
 * | the column stays or moves                   | the column by its title; equal titles by their order                    |
 * | the column is renamed                       | the column by its index, if there are as many columns                   |
 * | rows are added, moved, or others are edited | the row by its texts; equal rows by their order                         |
 * | another cell of the row is edited           | the new row with the same text in the cell and most equal cells         |
 * | all other cells of the row are edited       | the row with the same text in the cell, at the same place between the   |
 * |                                             | rows that stayed                                                        |
 * | the cell itself is edited                   | not found                                                               |
 * | its row, column or table is removed         | not found                                                               |
 */
export function followCell(before: Document, after: Document, target: Target): FollowedCell | undefined {
  const origin = findCell(before, target)
  if (!origin) return undefined
  const table = findTableAfter(origin.table, tablesOf(before), tablesIn(after, target.node) ?? tablesOf(after))
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

/** Whether the ids of a cell are the indices of its row and column, as in comments of early versions. */
export function isPlaceId({ record, definition }: CellIds): boolean {
  return /^row-\d{1,6}$/.test(record) && /^column-\d{1,6}$/.test(definition)
}

/** Finds the first cell with these ids in a document, or in one of its nodes. */
function findCell(document: Document, { tableCell, node }: Target): CellPosition | undefined {
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

/** Finds the table after the change that corresponds to a table before it. */
function findTableAfter(table: Table, before: Table[], after: Table[]): Table | undefined {
  const unchanged = after.find(({ key }) => key === table.key)
  if (unchanged) return unchanged
  const [keysBefore, keysAfter] = [before, after].map(tables => new Set(tables.map(({ key }) => key)))
  const next = findMostSimilar(
    table,
    after.filter(({ key }) => !keysBefore?.has(key)),
  )
  const previous =
    next &&
    findMostSimilar(
      next,
      before.filter(({ key }) => !keysAfter?.has(key)),
    )
  return previous?.key === table.key ? next : undefined
}

/** Finds the first of the tables that share most rows and titles with this one; undefined when no table shares any. */
function findMostSimilar(table: Table, others: Table[]): Table | undefined {
  const texts = new Set(textsIn(table))
  let best: { table: Table; similarity: number } | undefined
  for (const other of others) {
    const similarity = textsIn(other).filter(text => texts.has(text)).length
    if (similarity > (best?.similarity ?? 0)) best = { table: other, similarity }
  }
  return best?.table
}

function textsIn({ columns, rows }: Table): string[] {
  return [...columns.map(({ title }) => `column ${title}`), ...rows.map(({ texts }) => `row ${JSON.stringify(texts)}`)]
}

function matchColumns(before: Table, after: Table): Columns {
  const namesAfter = numberEqualNames(after.columns.map(({ title }) => title))
  const namesBefore = numberEqualNames(before.columns.map(({ title }) => title))
  const placesAfter = new Map(namesAfter.map((name, at) => [name, at]))
  const oldNames = new Set(namesBefore)
  const isSameSize = namesAfter.length === namesBefore.length
  return namesBefore.map((name, at) => {
    const isRenamed = isSameSize && !oldNames.has(namesAfter[at] ?? '')
    return placesAfter.get(name) ?? (isRenamed ? at : undefined)
  })
}

/** Prefixes each name with its number among equal names, so that all become different. */
function numberEqualNames(names: string[]): string[] {
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

/** Finds the row after the change that corresponds to a row before it, if its cell in the column has the same text. */
function matchRow({ before, after, columns }: Tables, { row, column }: CellPosition): Row | undefined {
  const commonColumns = columns.flatMap((to, from) => (to === undefined ? [] : [{ from, to }]))
  const textsBefore = before.rows.map(({ texts }) => commonColumns.map(({ from }) => texts[from] ?? ''))
  const textsAfter = after.rows.map(({ texts }) => commonColumns.map(({ to }) => texts[to] ?? ''))
  const namesBefore = numberEqualNames(textsBefore.map(texts => JSON.stringify(texts)))
  const namesAfter = numberEqualNames(textsAfter.map(texts => JSON.stringify(texts)))
  const placesAfter = new Map(namesAfter.map((name, at) => [name, at]))
  const partners = namesBefore.map(name => placesAfter.get(name))
  const partner = partners[row]
  if (partner !== undefined) return after.rows[partner]
  const matches = new Set(partners)
  const own = commonColumns.findIndex(({ from }) => from === column)
  const isSameCell = (at: number) => textsAfter[at]?.[own] === textsBefore[row]?.[own]
  const newRows = namesAfter.map((_name, at) => at).filter(at => !matches.has(at))
  const lostRows = partners.flatMap((at, from) => (at === undefined ? [from] : []))
  const similarity = (from: number, to: number, except?: number) =>
    (textsBefore[from] ?? []).filter((text, at) => at !== except && text !== '' && text === textsAfter[to]?.[at]).length
  let best: { at: number; similarity: number } | undefined
  for (const at of newRows.filter(isSameCell)) {
    const equal = similarity(row, at, own)
    if (equal > (best?.similarity ?? 0)) best = { at, similarity: equal }
  }
  if (best) {
    const { at } = best
    const isMostSimilar = lostRows.every(other => similarity(other, at) <= similarity(row, at))
    return isMostSimilar ? after.rows[at] : undefined
  }
  const at = findSamePlace({ partners, newRows, size: textsAfter.length }, row)
  return at !== undefined && isSameCell(at) ? after.rows[at] : undefined
}

/** Finds the row at the same place between the rows that stayed around it, if there are as many rows between them as before. */
function findSamePlace(
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
