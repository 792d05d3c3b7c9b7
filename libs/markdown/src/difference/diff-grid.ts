import { align, type Aligned, type ItemRules } from './align.ts'
import { stableText } from './content-ids.ts'
import type { Grid } from './grid.ts'
import type { CellChange, ColumnStep, GridColumn, GridRow, RowStep } from './schema.ts'
import type { DiffTools } from './tools.ts'
import { similarity } from './words.ts'

/** Compares two tables by their columns and rows. */
export function diffGrid(before: Grid, after: Grid, tools: DiffTools): { columns: ColumnStep[]; rows: RowStep[] } {
  const columns = align(before.columns, after.columns, columnRules(tools)).reduce<ColumnStep[]>(addColumn, [])
  const rows = align(before.rows, after.rows, rowRules(tools)).reduce<RowStep[]>(
    (steps, step) => addRow(steps, step, tools),
    [],
  )
  return { columns, rows }
}

/** Content without the keys of its blocks. */
function columnContent({ title, ...own }: GridColumn, { ids }: DiffTools): unknown {
  return [own, title?.map(ids.of)]
}

function columnRules(tools: DiffTools): ItemRules<GridColumn> {
  return {
    id: column => tools.ids.ofValue(columnContent(column, tools)),
    weakId: ({ id }) => id,
    kind: ({ definition }) => stableText(definition['type']),
    similarity: (before, after) => (before.id === after.id ? 1 : similarity(titleWords(before), titleWords(after)) / 2),
  }
}

function titleWords({ definition }: GridColumn): string[] {
  return String(definition['title'] ?? '').split(/\s+/)
}

function addColumn(steps: ColumnStep[], step: Aligned<GridColumn>): ColumnStep[] {
  const last = steps.at(-1)
  if (step.type === 'change') steps.push(step)
  else if (step.type === 'equal') {
    if (last?.type === 'equal') last.count += 1
    else steps.push({ type: 'equal', count: 1 })
  } else {
    const column = step.type === 'insert' ? step.after : step.before
    if (last?.type === step.type) last.columns.push(column)
    else steps.push({ type: step.type, columns: [column] })
  }
  return steps
}

function rowRules(tools: DiffTools): ItemRules<GridRow> {
  const content = new Map<GridRow, string>()
  const words = new Map<GridRow, readonly string[]>()
  const wordsOf = (row: GridRow) => {
    const existingWords = words.get(row) ?? rowWords(row, tools)
    words.set(row, existingWords)
    return existingWords
  }
  const id = (row: GridRow) => {
    const existingId = content.get(row) ?? tools.ids.ofValue(rowContent(row, tools))
    content.set(row, existingId)
    return existingId
  }
  return {
    id,
    weakId: row => stableText(wordsOf(row).slice(0, 1)),
    kind: () => 'row',
    similarity: (before, after) => similarity(wordsOf(before), wordsOf(after)),
  }
}

function rowContent({ texts, ...own }: GridRow, { ids }: DiffTools): unknown {
  return [own, Object.entries(texts).map(([column, blocks]) => [column, blocks.map(ids.of)])]
}

function rowWords({ texts, values }: GridRow, tools: DiffTools): string[] {
  const plain = Object.values(values).map(value => stableText(value))
  return [...Object.values(texts).flatMap(blocks => blocks.flatMap(block => tools.words(block))), ...plain]
}

function addRow(steps: RowStep[], step: Aligned<GridRow>, tools: DiffTools): RowStep[] {
  const last = steps.at(-1)
  if (step.type === 'change') steps.push(rowChange(step, tools))
  else if (step.type === 'equal') {
    if (last?.type === 'equal') last.count += 1
    else steps.push({ type: 'equal', count: 1 })
  } else {
    const row = step.type === 'insert' ? step.after : step.before
    if (last?.type === step.type) last.rows.push(row)
    else steps.push({ type: step.type, rows: [row] })
  }
  return steps
}

function rowChange({ before, after }: { before: GridRow; after: GridRow }, tools: DiffTools): RowStep {
  const sides = [before.texts, before.values, after.texts, after.values]
  const columns = [...new Set(sides.flatMap(Object.keys))]
  const hasOtherLabels = stableText(before.labels) !== stableText(after.labels)
  return {
    type: 'change',
    before: before.id,
    after: after.id,
    cells: columns.flatMap(column => cellChange(column, { before, after }, tools)),
    ...(hasOtherLabels && { labels: { before: before.labels, after: after.labels } }),
  }
}

function cellChange(
  column: string,
  { before, after }: { before: GridRow; after: GridRow },
  tools: DiffTools,
): CellChange[] {
  const nodes = tools.blocks(before.texts[column] ?? [], after.texts[column] ?? [])
  const isChanged = nodes.some(({ type }) => type !== 'equal')
  const was = before.values[column]
  const is = after.values[column]
  const hasOtherValue = stableText(was) !== stableText(is)
  if (!isChanged && !hasOtherValue) return []
  return [
    {
      column,
      ...(isChanged && { nodes }),
      ...(hasOtherValue && was !== undefined && { before: was }),
      ...(hasOtherValue && is !== undefined && { after: is }),
    },
  ]
}
