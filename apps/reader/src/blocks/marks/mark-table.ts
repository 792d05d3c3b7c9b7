import { readGrid, withGrid, type Grid } from '@recto/markdown'
import type { BlockChange, CellChange, DocumentBlock, GridColumn, GridRow, RowStep } from '@recto/markdown/schema'
import { fieldsOf, textsOf } from '../model/read.ts'
import type { Marking } from './mark-text.ts'
import type { Mark } from '../model/mark.ts'

/** A table with the rows and columns that it had before, marked. */
export function mergedTable(after: DocumentBlock, change: BlockChange, marking: Marking): DocumentBlock | undefined {
  const grid = readGrid(after)
  if (!grid) return undefined
  const { rows, marks } = mergedRows(grid, change.rows ?? [], marking)
  const { columns, deleted } = mergedColumns(grid, change)
  const table = withGrid(after, { columns, rows })
  const records = fieldsOf(table.data?.['records'])
  for (const [id, mark] of marks) marking.mark(records[id] as object, mark)
  return { ...table, data: { ...table.data, view: withColumns(fieldsOf(after.data?.['view']), deleted) } }
}

/** The columns of both tables, and those that only the first one has, by the column that they follow. */
function mergedColumns({ columns }: Grid, change: BlockChange): { columns: GridColumn[]; deleted: [string, string][] } {
  const merged: GridColumn[] = []
  const deleted: [string, string][] = []
  let at = 0
  for (const step of change.columns ?? []) {
    if (step.type === 'delete') {
      for (const column of step.columns) {
        deleted.push([column.id, merged.at(-1)?.id ?? ''])
        merged.push(column)
      }
      continue
    }
    const count = step.type === 'equal' ? step.count : step.type === 'insert' ? step.columns.length : 1
    merged.push(...columns.slice(at, at + count))
    at += count
  }
  return { columns: [...merged, ...columns.slice(at)], deleted }
}

/** The view with the columns that are gone, each behind the one that it followed. */
function withColumns(view: Record<string, unknown>, deleted: readonly [string, string][]): Record<string, unknown> {
  if (!Array.isArray(view['columns'])) return view
  const ids = textsOf(view['columns'])
  for (const [id, before] of deleted) ids.splice(ids.indexOf(before) + 1, 0, id)
  return { ...view, columns: ids }
}

function mergedRows(
  grid: Grid,
  steps: readonly RowStep[],
  marking: Marking,
): { rows: GridRow[]; marks: [string, Mark][] } {
  const marks: [string, Mark][] = []
  const rows: GridRow[] = []
  let at = 0
  const add = (row: GridRow, kind: Mark['kind']) => {
    // A row that is deleted in one place and inserted in another has one id.
    const id = kind === 'delete' ? `deleted-${rows.length}` : row.id
    rows.push({ ...row, id })
    marks.push([id, { kind }])
  }
  for (const step of steps) {
    if (step.type === 'delete') {
      for (const row of step.rows) add(row, 'delete')
      continue
    }
    const count = step.type === 'equal' ? step.count : step.type === 'insert' ? step.rows.length : 1
    const own = grid.rows.slice(at, at + count)
    at += count
    if (step.type === 'equal') rows.push(...own)
    else if (step.type === 'insert') for (const row of own) add(row, 'insert')
    else for (const row of own) add(changedRow(row, step.cells, marking), 'change')
  }
  return { rows: [...rows, ...grid.rows.slice(at)], marks }
}

function changedRow(row: GridRow, cells: readonly CellChange[], marking: Marking): GridRow {
  const texts = { ...row.texts }
  const values = { ...row.values }
  for (const { column, nodes, before, after } of cells) {
    const blocks = nodes ? marking.blocks(row.texts[column] ?? [], nodes) : []
    const value = [...plainText(before, 'delete', marking), ...plainText(after, 'insert', marking)]
    if (blocks.length + value.length === 0) continue
    texts[column] = [...blocks, ...value]
    delete values[column]
  }
  return { ...row, texts, values }
}

/** A value that words can say: a number, a name or a list of them. */
function plainText(value: unknown, kind: 'insert' | 'delete', marking: Marking): DocumentBlock[] {
  const items = Array.isArray(value) ? value : [value]
  const words = items.filter(item => ['string', 'number', 'boolean'].includes(typeof item))
  if (words.length === 0) return []
  const leaf = { object: 'leaf' as const, text: words.join(', '), marks: [] }
  const text = { object: 'text' as const, leaves: [leaf] }
  marking.mark(text, { kind })
  return [{ object: 'block', type: 'paragraph', nodes: [text] }]
}
