import { block, omitUndefined, fragment } from './nodes.ts'
import type { DocumentBlock, DocumentFragment } from './schema.ts'
import { contentIds } from './table-ids.rules.ts'

/** A column as it is read. */
export interface TableColumn {
  title: string
  /** The title with its format, when it has any. */
  rich?: DocumentBlock[] | undefined
  definition: Record<string, unknown>
  width?: number | undefined
  isHidden?: boolean
}

/** A cell as it is read: blocks of a text, or the value of another type. */
export interface TableCell {
  blocks?: DocumentBlock[]
  value?: unknown
  /** The names shown for references, when they are not the targets. */
  labels?: string[]
}

/** The settings of a table. */
export interface TableSettings {
  view: Record<string, unknown>
  /** Index of the column with the target, and with the covers, of cards. */
  target?: number | undefined
  cover?: number | undefined
  coverDark?: number | undefined
  fullWidth?: boolean | undefined
}

/** Makes the block of a table; see `contentIds` for the ids of columns, by their titles, and of rows. Rows shorter than the header end with empty cells. */
export function tableBlock(columns: TableColumn[], rows: TableCell[][], settings: TableSettings): DocumentBlock {
  const fragments: DocumentFragment[] = []
  const add = (name: string, blocks: DocumentBlock[]) => {
    fragments.push(fragment(name, blocks, 'table-cell'))
    return name
  }
  const ids = contentIds(
    'column',
    columns.map(({ title }) => title),
  )
  const columnId = (at: number) => ids[at] ?? `column-${at + 1}`
  const rowIds = contentIds('row', rows.map(contentOf))
  const definition = columns.map((column, at) => {
    const id = columnId(at)
    const titleFragment = column.rich && add(`title-${at + 1}`, column.rich)
    return [id, omitUndefined({ id, title: column.title, ...column.definition, titleFragment })] as const
  })
  const records = rows.map((cells, row) => {
    const values: Record<string, unknown> = {}
    const labels: Record<string, string[]> = {}
    for (const [at, cell] of cells.entries()) {
      const name = `cell-${row + 1}-${at + 1}`
      const value = cell.blocks ? (cell.blocks.length > 0 ? add(name, cell.blocks) : undefined) : cell.value
      if (value !== undefined) values[columnId(at)] = value
      if (cell.labels) labels[columnId(at)] = cell.labels
    }
    const hasLabels = Object.keys(labels).length > 0
    return [rowIds[row] ?? '', { orderIndex: sortKey(row), values, ...(hasLabels && { labels }) }] as const
  })
  const idOf = (at: number | undefined) => (at === undefined ? undefined : columnId(at))
  const widths = columns.flatMap(({ width }, at) => (width === undefined ? [] : [[columnId(at), width] as const]))
  const view = omitUndefined({
    ...settings.view,
    columns: columns.flatMap(({ isHidden }, at) => (isHidden ? [] : [columnId(at)])),
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    targetDefinition: idOf(settings.target),
    coverDefinition: idOf(settings.cover),
    coverDefinitionDark: idOf(settings.coverDark),
  })
  const data = {
    view,
    definition: Object.fromEntries(definition),
    records: Object.fromEntries(records),
    fullWidth: settings.fullWidth,
  }
  return block('table', { data, fragments })
}

/** The cells of a row without the empty ones at its end, which say nothing. */
function contentOf(cells: TableCell[]): TableCell[] {
  const last = cells.findLastIndex(({ blocks, value }) => (blocks ? blocks.length > 0 : value !== undefined))
  return cells.slice(0, last + 1)
}

/** Pads the number of a row with zeros, so that rows sort as texts. */
function sortKey(row: number): string {
  return String(row).padStart(6, '0')
}

/** Tells whether blocks are nothing but text without format, so that its words say it all. */
export function isPlainText(blocks: readonly DocumentBlock[]): boolean {
  if (blocks.length > 1) return false
  const nodes = blocks[0]?.nodes ?? []
  const isParagraph = blocks.length === 0 || blocks[0]?.type === 'paragraph'
  return (
    isParagraph && nodes.every(node => node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0))
  )
}
