import type { Context } from './context.ts'
import type { Flow, Piece } from '../drawing/pieces.ts'
import { linkOf } from './inlines.ts'
import { textParts } from '../text/text-parts.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { rowFlow, type Cell } from './beside.ts'
import { pictureFlow } from './picture.ts'
import { inlineFlow } from './styles.ts'
import { cellFlow, unwrapReference, type Row, type Table } from './table-cells.ts'

const between = 12
const padding = 11

/** Cards, two in a row. */
export function* cardsFlow(table: Table, context: Context): Flow {
  const columns = context.width >= 300 ? 2 : 1
  const width = (context.width - between * (columns - 1)) / columns
  for (let at = 0; at < table.rows.length; at += columns) {
    const rows = table.rows.slice(at, at + columns)
    const cells = rows.map((row, column): Cell => {
      const place = { ...context, width: width - 2 * padding, depth: context.depth + 1 }
      return { left: column * (width + between) + padding, pieces: [...cardFlow(row, table, place)] }
    })
    const paint = cardPainter(rows, { table, width }, context)
    yield* rowFlow(cells, { gap: between, padding: 20, paint })
  }
}

function cardPainter(rows: readonly Row[], { table, width }: { table: Table; width: number }, context: Context) {
  return ({ x, y, height }: { x: number; y: number; height: number }) => {
    for (const [at, row] of rows.entries()) {
      const card = { x: x + at * (width + between), y, width, height }
      context.canvas.rect(card, { fill: '#ffffff', stroke: colors.line, radius: 4 })
      const { link } = linkOf(
        table.target === undefined ? undefined : unwrapReference(row.values[table.target]),
        context,
      )
      if (link) context.canvas.link(card, link)
    }
  }
}

function* cardFlow(row: Row, table: Table, context: Context): Flow {
  const cover = table.cover === undefined ? undefined : unwrapReference(row.values[table.cover])
  if (cover !== undefined) yield* pictureFlow(cover, { maxHeight: 130 }, context)
  let isFirst = true
  for (const column of table.columns) {
    if (column === table.cover || column === table.target || row.values[column] === undefined) continue
    const pieces: Piece[] = [
      ...cellFlow(row, { table, column }, { ...context, size: isFirst ? sizes.body : sizes.table }),
    ]
    if (pieces.length === 0) continue
    for (const [at, piece] of pieces.entries()) yield at === 0 ? { ...piece, gap: 3 } : piece
    isFirst = false
  }
  const { target, link } = linkOf(
    table.target === undefined ? undefined : unwrapReference(row.values[table.target]),
    context,
  )
  if (!link) return
  const style = { size: sizes.small, color: colors.link }
  yield* inlineFlow(textParts(target?.title ?? target?.url ?? '', style), { ...context, size: sizes.small }, { gap: 4 })
}
