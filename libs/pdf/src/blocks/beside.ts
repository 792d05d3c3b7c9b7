import { drawAll, heightOf, type Flow, type Piece } from '../drawing/pieces.ts'
import { area } from '../drawing/theme.ts'

/** A cell of a row: its pieces, and where it begins. */
export interface Cell {
  left: number
  pieces: Piece[]
}

/** How a row is drawn. */
export interface RowStyle {
  gap: number
  /** Height that cells have besides what is in them, half of it above. */
  padding: number
  /** Height of one part: a row that is higher goes on in another. */
  most?: number
  /** Draws what is behind. */
  paint?(part: { x: number; y: number; height: number; isFirst: boolean; isLast: boolean }): void
}

/** Cells that stand beside each other: one piece, or several where they are higher than a sheet. */
export function* rowFlow(cells: readonly Cell[], style: RowStyle): Flow {
  const most = (style.most ?? area.height * 0.9) - style.padding
  let rest = cells
  let isFirst = true
  do {
    const parts = rest.map(cell => splitCell(cell, most))
    const isLast = parts.every(({ after }) => after.length === 0)
    yield rowPiece(
      parts.map(({ left, before }) => ({ left, pieces: before })),
      style,
      { isFirst, isLast },
    )
    rest = parts.map(({ left, after }) => ({ left, pieces: after }))
    isFirst = false
  } while (rest.some(({ pieces }) => pieces.length > 0))
}

function rowPiece(cells: readonly Cell[], style: RowStyle, ends: { isFirst: boolean; isLast: boolean }): Piece {
  const height = Math.max(0, ...cells.map(({ pieces }) => heightOf(pieces))) + style.padding
  return {
    height,
    gap: ends.isFirst ? style.gap : 0,
    draw({ x, y }) {
      style.paint?.({ x, y, height, ...ends })
      for (const { left, pieces } of cells) drawAll(pieces, { x: x + left, y: y + style.padding / 2 })
    },
  }
}

/** Splits a cell into the pieces that fit into a height in points, at least one, and the rest. */
function splitCell({ left, pieces }: Cell, most: number): { left: number; before: Piece[]; after: Piece[] } {
  let height = 0
  let at = 0
  for (; at < pieces.length; at++) {
    const piece = pieces[at]
    if (!piece) break
    height += piece.height + (at === 0 ? 0 : piece.gap)
    if (at > 0 && height > most) break
  }
  return { left, before: pieces.slice(0, at), after: pieces.slice(at) }
}
