import type { DocumentBlock, DocumentFragment } from '../document/schema.ts'
import { stableText } from './content-ids.ts'
import type { GridColumn, GridRow } from './schema.ts'

/** A table as columns and rows that hold their texts. */
export interface Grid {
  columns: GridColumn[]
  rows: GridRow[]
}

interface TableData {
  definition: Record<string, Record<string, unknown>>
  records: Record<string, { values: Record<string, unknown>; labels?: Record<string, unknown>; orderIndex: string }>
}

/** The fields of the data of a table that its grid has. */
export const gridFields: ReadonlySet<string> = new Set(['data.definition', 'data.records'])

/** Reads a table as its grid; undefined for one that is not exactly as reading Markdown makes them, and cannot be written again as it was. */
export function readGrid(block: DocumentBlock): Grid | undefined {
  if (block.type !== 'table' || block.nodes || !block.data || !block.fragments) return undefined
  const grid = gridOf(block.data as unknown as TableData, block.fragments)
  if (!grid) return undefined
  const { data, fragments } = gridParts(grid)
  const isSame = stableText(data) === stableText(pick(block.data)) && sameOrder(data, block.data)
  return isSame && sameFragments(fragments, block.fragments) ? grid : undefined
}

function gridOf({ definition, records }: Partial<TableData>, fragments: DocumentFragment[]): Grid | undefined {
  if (!isObject(definition) || !isObject(records)) return undefined
  const texts = new Map(fragments.map(({ fragment, nodes }) => [fragment ?? '', nodes]))
  const columns = Object.values(definition).map(({ titleFragment, ...own }): GridColumn => {
    const title = typeof titleFragment === 'string' ? texts.get(titleFragment) : undefined
    return { id: String(own['id']), definition: own, ...(title && { title }) }
  })
  const rows = Object.entries(records).map(([id, { values, labels }]): GridRow => {
    const entries = Object.entries(values ?? {})
    const textIn = (value: unknown) => (typeof value === 'string' ? texts.get(value) : undefined)
    return {
      id,
      texts: Object.fromEntries(entries.flatMap(([column, value]) => pair(column, textIn(value)))),
      values: Object.fromEntries(entries.filter(([, value]) => !textIn(value))),
      ...(labels && { labels }),
    }
  })
  return { columns, rows }
}

function pair(column: string, blocks: DocumentBlock[] | undefined): [string, DocumentBlock[]][] {
  return blocks ? [[column, blocks]] : []
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pick(data: Record<string, unknown>): Record<string, unknown> {
  return { definition: data['definition'], records: data['records'] }
}

function sameOrder(data: TableData, other: Record<string, unknown>): boolean {
  const { definition, records } = other as unknown as TableData
  const order = (each: TableData) => [Object.keys(each.definition), Object.keys(each.records)]
  return stableText(order(data)) === stableText(order({ definition, records }))
}

function sameFragments(fragments: readonly DocumentFragment[], others: readonly DocumentFragment[]): boolean {
  const shape = (each: readonly DocumentFragment[]) => each.map(({ fragment, type }) => [fragment, type])
  return stableText(shape(fragments)) === stableText(shape(others))
}

/** The definition, the records and the fragments of a grid, named by their places as reading Markdown names them. */
function gridParts({ columns, rows }: Grid): { data: TableData; fragments: DocumentFragment[] } {
  const fragments: DocumentFragment[] = []
  const add = (fragment: string, nodes: DocumentBlock[]) => {
    fragments.push({ object: 'fragment', fragment, type: 'table-cell', nodes })
    return fragment
  }
  const definition = columns.map(({ id, definition: own, title }, at): [string, Record<string, unknown>] => [
    id,
    { ...own, ...(title && { titleFragment: add(`title-${at + 1}`, title) }) },
  ])
  const places = new Map(columns.map(({ id }, at) => [id, at + 1]))
  const records = rows.map(({ id, texts, values, labels }, row): [string, TableData['records'][string]] => {
    const cells = Object.entries(texts).toSorted(([a], [b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    const names = cells.map(([column, nodes]) => [column, add(`cell-${row + 1}-${places.get(column)}`, nodes)])
    const all = { ...values, ...(Object.fromEntries(names) as object) }
    return [id, { orderIndex: String(row).padStart(6, '0'), values: all, ...(labels && { labels }) }]
  })
  return { data: { definition: Object.fromEntries(definition), records: Object.fromEntries(records) }, fragments }
}

/** The block of a table with another grid. */
export function withGrid(block: DocumentBlock, grid: Grid): DocumentBlock {
  const { data, fragments } = gridParts(grid)
  return { ...block, data: { ...block.data, ...data }, fragments }
}
