import type { Canvas, Rect } from './canvas.ts'

/** Where a piece is drawn, and the space above it that was kept. */
export interface Spot {
  x: number
  y: number
  gap: number
}

/** A part that is never divided by the end of a sheet: a line of text, a picture, a row. */
export interface Piece {
  height: number
  /** Space above; a piece at the top of a sheet has none. */
  gap: number
  /** Stays on the sheet of the piece after it. */
  keep?: boolean
  /** Drawn again at the top of each further sheet. */
  head?: Piece[]
  draw(spot: Spot): void
}

/** Pieces from top to bottom, made when they are asked for. */
export type Flow = Iterable<Piece>

/** A box around pieces: what is inside of its edges on each side, and how it is drawn behind each piece. */
export interface Box {
  left: number
  top: number
  bottom: number
  /** Space above the box. */
  gap: number
  /** Draws what is behind a piece; the parts lie upon each other from top to bottom. */
  paint(part: { y: number; x: number; height: number; isFirst: boolean; isLast: boolean }): void
}

/** Pieces in a box that goes on on the next sheet where they do. */
export function* boxed(flow: Flow, box: Box): Flow {
  let isFirst = true
  let held: Piece | undefined
  for (const piece of flow) {
    if (held) {
      yield inBox(held, box, { isFirst, isLast: false })
      isFirst = false
    }
    held = piece
  }
  if (held) yield inBox(held, box, { isFirst, isLast: true })
}

function inBox(piece: Piece, box: Box, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Piece {
  const top = isFirst ? box.top : 0
  const bottom = isLast ? box.bottom : 0
  const height = piece.height + top + bottom
  const inside = { isFirst: false, isLast: false }
  return {
    height,
    gap: isFirst ? box.gap : piece.gap,
    ...(piece.keep && !isLast && { keep: true }),
    ...(piece.head && { head: piece.head.map(head => inBox(head, box, inside)) }),
    draw({ x, y, gap }) {
      const above = isFirst ? 0 : gap
      box.paint({ x, y: y - above, height: height + above, isFirst, isLast })
      piece.draw({ x: x + box.left, y: y + top, gap })
    },
  }
}

/** Pieces further to the right. */
export function* shifted(flow: Flow, left: number): Flow {
  for (const piece of flow) yield moved(piece, left)
}

function moved(piece: Piece, left: number): Piece {
  return {
    ...piece,
    ...(piece.head && { head: piece.head.map(head => moved(head, left)) }),
    draw: spot => piece.draw({ ...spot, x: spot.x + left }),
  }
}

/** Pieces with another space above the first. */
export function* withGap(flow: Flow, gap: number): Flow {
  let isFirst = true
  for (const piece of flow) {
    yield isFirst ? { ...piece, gap } : piece
    isFirst = false
  }
}

/** Pieces of which the first also draws something else, such as the mark of a list item. */
export function* withMark(flow: Flow, mark: (spot: Spot) => void): Flow {
  let isFirst = true
  for (const piece of flow) {
    if (isFirst) yield { ...piece, draw: spot => (mark(spot), piece.draw(spot)) }
    else yield piece
    isFirst = false
  }
}

/** The height of pieces that stand on one sheet. */
export function heightOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { height, gap }, at) => sum + height + (at === 0 ? 0 : gap), 0)
}

/** Draws pieces from a place down. */
export function drawAll(pieces: readonly Piece[], { x, y }: { x: number; y: number }): void {
  let at = y
  for (const [index, piece] of pieces.entries()) {
    const gap = index === 0 ? 0 : piece.gap
    at += gap
    piece.draw({ x, y: at, gap })
    at += piece.height
  }
}

/** A space of nothing. */
export function space(height: number): Piece {
  return { height, gap: 0, draw: () => undefined }
}

/** A panel behind pieces: filled, with a border and, where given, a bar at its left edge. */
export function panel(canvas: Canvas, style: { width: number; fill?: string; border?: string; bar?: string }) {
  const { width, fill, border, bar } = style
  return ({ x, y, height, isFirst, isLast }: Parameters<Box['paint']>[0]) => {
    // Parts overlap a little, or a thin line would show between them.
    const part: Rect = { x, y: isFirst ? y : y - 0.25, width, height: isFirst ? height : height + 0.25 }
    if (fill !== undefined) canvas.rect(part, { fill })
    if (bar !== undefined) canvas.rect({ ...part, width: 2.6 }, { fill: bar })
    if (border === undefined) return
    const left = x
    const right = x + width
    const bottom = y + height
    canvas.line({ x: left, y: part.y }, { x: left, y: bottom }, { color: border })
    canvas.line({ x: right, y: part.y }, { x: right, y: bottom }, { color: border })
    if (isFirst) canvas.line({ x: left, y }, { x: right, y }, { color: border })
    if (isLast) canvas.line({ x: left, y: bottom }, { x: right, y: bottom }, { color: border })
  }
}
