import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Flow, Piece } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { rowFlow, type Cell } from './beside.ts'
import { cellFlow, readTable, titleFlow, type Table } from './table-cells.ts'
import { cardsFlow } from './cards.ts'

const padding = 6

/** A table: as a grid whose head is repeated on each sheet, or as cards. */
export function tableFlow(block: DocumentBlock, context: Context): Flow {
  const table = readTable(block)
  if (!table) return []
  return table.isCards ? cardsFlow(table, context) : gridFlow(table, { ...context, size: sizes.table })
}

function* gridFlow(table: Table, context: Context): Flow {
  const places = columnPlaces(table, context.width)
  const head = table.hasHead ? headPiece(table, places, context) : undefined
  if (head) yield { ...head, gap: 9, keep: true }
  let isFirst = true
  for (const row of table.rows) {
    const cells = places.map(({ left, width, column }): Cell => {
      const place = { ...context, width: width - 2 * padding, depth: context.depth + 1 }
      return { left: left + padding, pieces: [...cellFlow(row, { table, column }, place)] }
    })
    const most = 600 - (head?.height ?? 0)
    for (const piece of rowFlow(cells, {
      gap: isFirst && !head ? 9 : 0,
      padding: 9,
      most,
      paint: rules(places, context),
    })) {
      yield { ...piece, ...(head && { head: [head] }) }
      isFirst = false
    }
  }
}

interface ColumnPlace {
  column: string
  left: number
  width: number
}

function headPiece(table: Table, places: readonly ColumnPlace[], context: Context): Piece {
  const cells = places.map(({ left, width, column }): Cell => {
    const place = { ...context, width: width - 2 * padding, depth: context.depth + 1 }
    return { left: left + padding, pieces: [...titleFlow(table, column, place)] }
  })
  const [piece] = rowFlow(cells, { gap: 0, padding: 9, most: 300, paint: rules(places, context, colors.inlineCode) })
  return piece ?? { height: 0, gap: 0, draw: () => undefined }
}

/** The lines around cells. */
function rules(places: readonly ColumnPlace[], { canvas }: Context, fill?: string) {
  const width = places.reduce((sum, place) => sum + place.width, 0)
  return ({ x, y, height }: { x: number; y: number; height: number }) => {
    if (fill !== undefined) canvas.rect({ x, y, width, height }, { fill })
    canvas.rect({ x, y, width, height }, { stroke: colors.line })
    for (const { left } of places.slice(1))
      canvas.line({ x: x + left, y }, { x: x + left, y: y + height }, { color: colors.faint })
  }
}

/** Widths of columns: each has room for its longest word, if there is so much; the rest goes to those with more text. */
function columnPlaces({ columns, widths, measure }: Table, width: number): ColumnPlace[] {
  const requestedWidths = columns.map(column => widths[column])
  const all = columns.map((column, at) => {
    const { longestWord, longest } = measure(column)
    const requestedWidth = requestedWidths[at]
    const unit = sizes.table * 0.56
    const least = Math.min(longestWord * unit + 2 * padding + 2, 170)
    return {
      column,
      least,
      wish: requestedWidth === undefined ? Math.min(longest * unit + 2 * padding, 330) : requestedWidth * 0.75,
    }
  })
  const least = all.reduce((sum, column) => sum + column.least, 0)
  const wishes = all.reduce((sum, column) => sum + Math.max(column.wish, column.least), 0)
  const share = least >= width ? 0 : Math.min(1, (width - least) / Math.max(1, wishes - least))
  const raw = all.map(column => column.least + share * Math.max(0, column.wish - column.least))
  const scale =
    width /
    Math.max(
      1,
      raw.reduce((sum, value) => sum + value, 0),
    )
  let left = 0
  return all.map(({ column }, at) => {
    const place = { column, left, width: (raw[at] ?? 0) * scale }
    left += place.width
    return place
  })
}
