import type { PhrasingContent, Table } from 'mdast'
import type { ReadContext } from './context.ts'
import { pairElements, wordsOf } from './elements.ts'
import { readFlow, trimmed } from './html-flow.ts'
import { readInlines } from './inlines.ts'
import { block } from './nodes.ts'
import type { DocumentBlock } from './schema.ts'
import { isPlainText, tableBlock } from './table-parts.ts'

/** Reads a table of Markdown. */
export function readPipeTable(table: Table, context: ReadContext): DocumentBlock {
  const [header, ...rows] = table.children
  // A row may have more cells than the header, which other readers drop.
  const width = Math.max(...table.children.map(row => row.children.length))
  context.spend(width * table.children.length)
  const columns = Array.from({ length: width }, (_, at) => {
    const cell = header?.children[at] ?? { children: [] }
    const blocks = readCell(cell.children, context)
    const definition = { type: 'text', textAlignment: table.align?.[at] ?? 'left' }
    return {
      title: wordsOf(pairElements(cell.children)).trim(),
      rich: isPlainText(blocks) ? undefined : blocks,
      definition,
    }
  })
  const cells = rows.map(row => row.children.map(cell => ({ blocks: readCell(cell.children, context) })))
  return tableBlock(columns, cells, { view: { type: 'grid', hideHeader: false } })
}

/** A cell holds text, or paragraphs and lists as HTML. */
function readCell(children: readonly PhrasingContent[], context: ReadContext): DocumentBlock[] {
  const flow = readFlow(pairElements(children), context)
  if (flow) return flow
  const nodes = trimmed(readInlines(children, context))
  return nodes.length > 0 ? [block('paragraph', { nodes })] : []
}
