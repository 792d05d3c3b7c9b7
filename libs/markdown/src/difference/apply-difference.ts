import type { DocumentBlock, DocumentFragment, DocumentInline, JSONDocument } from '../document/schema.ts'
import { readGrid, withGrid, type Grid } from './grid.ts'
import { joinText } from './pieces.ts'
import { withProperties } from './properties.ts'
import type {
  BlockChange,
  BlockStep,
  ColumnStep,
  DocumentDifference,
  ElementChange,
  FragmentStep,
  GridColumn,
  GridRow,
  InlineNode,
  RowStep,
  TextStep,
} from './schema.ts'

/** Applies a difference to the first of its documents; the result is the second one, but for the keys of its nodes. */
export function applyDifference(before: JSONDocument, { nodes }: DocumentDifference): JSONDocument {
  return { ...before, nodes: applyToBlocks(before.nodes, nodes) }
}

/** Applies the steps of blocks. Blocks behind the last step stay. */
function applyToBlocks(before: readonly DocumentBlock[], steps: readonly BlockStep[]): DocumentBlock[] {
  const result: DocumentBlock[] = []
  let at = 0
  for (const step of steps) {
    if (step.type === 'equal') {
      result.push(...before.slice(at, at + step.count))
      at += step.count
    } else if (step.type === 'delete') at += step.nodes.length
    else if (step.type === 'insert') result.push(...step.nodes)
    else {
      const block = before[at]
      if (block) result.push(applyToBlock(block, step))
      at += 1
    }
  }
  return [...result, ...before.slice(at)]
}

/** Applies the change of a block. */
export function applyToBlock(before: DocumentBlock, change: BlockChange): DocumentBlock {
  const { rows, columns, nodes, properties } = change
  const own = withProperties(before, properties)
  const grid = rows || columns ? readGrid(before) : undefined
  if (grid) return withGrid(own, applyToGrid(grid, { rows, columns }))
  return {
    ...withContents(own, change),
    ...(nodes && { nodes: applyToBlocks((before.nodes ?? []) as DocumentBlock[], nodes) }),
  }
}

/** A node with its text and its fragments changed. */
function withContents<Node extends DocumentBlock | DocumentInline>(node: Node, change: ElementChange): Node {
  const { text, fragments } = change
  return {
    ...node,
    ...(text && { nodes: applyToText((node.nodes ?? []) as InlineNode[], text) }),
    ...(fragments && { fragments: applyToFragments(node.fragments ?? [], fragments) }),
  }
}

/** Applies the change of an inline. */
export function applyToInline(before: DocumentInline, change: TextStep & { type: 'change' }): DocumentInline {
  return withContents(withProperties(before, change.properties), change)
}

/** Text steps repeat the text, so that only inlines that change are looked up. */
function applyToText(before: readonly InlineNode[], steps: readonly TextStep[]): InlineNode[] {
  const inlines = before.filter(node => node.object === 'inline')
  let at = 0
  const result: InlineNode[] = []
  for (const step of steps) {
    if (step.type === 'change') {
      const inline = inlines[at]
      if (inline) result.push(applyToInline(inline, step))
      at += 1
      continue
    }
    if (step.type !== 'delete') result.push(...step.text)
    if (step.type !== 'insert') at += step.text.filter(({ object }) => object === 'inline').length
  }
  return joinText(result)
}

function applyToFragments(before: readonly DocumentFragment[], steps: readonly FragmentStep[]): DocumentFragment[] {
  const result: DocumentFragment[] = []
  let at = 0
  for (const step of steps) {
    if (step.type === 'equal') {
      result.push(...before.slice(at, at + step.count))
      at += step.count
    } else if (step.type === 'delete') at += step.fragments.length
    else if (step.type === 'insert') result.push(...step.fragments)
    else {
      const fragment = before[at]
      if (fragment) result.push({ ...fragment, nodes: applyToBlocks(fragment.nodes, step.nodes) })
      at += 1
    }
  }
  return result
}

function applyToGrid(
  grid: Grid,
  { rows = [], columns = [] }: { rows?: RowStep[] | undefined; columns?: ColumnStep[] | undefined },
): Grid {
  return { columns: applyToColumns(grid.columns, columns), rows: applyToRows(grid.rows, rows) }
}

function applyToColumns(before: readonly GridColumn[], steps: readonly ColumnStep[]): GridColumn[] {
  const result: GridColumn[] = []
  let at = 0
  for (const step of steps) {
    if (step.type === 'equal') result.push(...before.slice(at, at + step.count))
    else if (step.type === 'insert') result.push(...step.columns)
    else if (step.type === 'change') result.push(step.after)
    if (step.type !== 'insert')
      at += step.type === 'equal' ? step.count : step.type === 'delete' ? step.columns.length : 1
  }
  return [...result, ...before.slice(at)]
}

function applyToRows(before: readonly GridRow[], steps: readonly RowStep[]): GridRow[] {
  const result: GridRow[] = []
  let at = 0
  for (const step of steps) {
    if (step.type === 'equal') {
      result.push(...before.slice(at, at + step.count))
      at += step.count
    } else if (step.type === 'delete') at += step.rows.length
    else if (step.type === 'insert') result.push(...step.rows)
    else {
      const row = before[at]
      if (row) result.push(applyToRow(row, step))
      at += 1
    }
  }
  return [...result, ...before.slice(at)]
}

function applyToRow(row: GridRow, change: RowStep & { type: 'change' }): GridRow {
  const texts = new Map(Object.entries(row.texts))
  const values = new Map(Object.entries(row.values))
  for (const { column, nodes, before, after } of change.cells) {
    if (nodes) setOrDelete(texts, column, nonEmpty(applyToBlocks(texts.get(column) ?? [], nodes)))
    if (before !== undefined || after !== undefined) setOrDelete(values, column, after)
  }
  const labels = change.labels ? change.labels.after : row.labels
  const cells = { texts: Object.fromEntries(texts), values: Object.fromEntries(values) }
  return { id: change.after, ...cells, ...(labels && { labels }) }
}

function setOrDelete<Value>(map: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) map.delete(name)
  else map.set(name, value)
}

function nonEmpty<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items
}
