import type { Canvas } from '../drawing/canvas.ts'
import type { Flow, Piece } from '../drawing/pieces.ts'
import { stretchesOf, type Atom } from './atoms.ts'
import { visualOrder } from './bidi.ts'
import { linesOf, type Line } from './lines.ts'
import type { Inline, TextStyle } from './style.ts'

/** How a paragraph is set. */
export interface ParagraphStyle {
  width: number
  size: number
  /** Height of a line, by its size. */
  lead: number
  gap: number
  /** `start` and `end` are where the direction of the text says; the others are the same sides for all texts. */
  align?: 'start' | 'center' | 'end' | 'right'
  /** Stays with what follows. */
  keep?: boolean
}

/** The lines of a paragraph; its first and last two stay together. */
export function* paragraph(inlines: readonly Inline[], style: ParagraphStyle, canvas: Canvas): Flow {
  let held: Piece[] = []
  let count = 0
  for (const stretch of stretchesOf(inlines, canvas.fonts)) {
    for (const line of linesOf(stretch, style.width, canvas.fonts)) {
      held.push(linePiece(line, style, { canvas, isFirst: count === 0 }))
      count++
      if (held.length < 3) continue
      const [first, ...rest] = held
      held = rest
      if (first) yield count === 3 ? { ...first, keep: true } : first
    }
  }
  const last = held.length - 1
  for (const [at, piece] of held.entries()) yield at < last || style.keep ? { ...piece, keep: true } : piece
}

interface LinePlace {
  canvas: Canvas
  isFirst: boolean
}

function linePiece(line: Line, style: ParagraphStyle, { canvas, isFirst }: LinePlace): Piece {
  const text = style.size * style.lead
  const above = Math.max(text / 2 + style.size * 0.36, ...line.atoms.map(({ object }) => (object?.ascent ?? 0) + 1))
  const below = Math.max(text / 2 - style.size * 0.36, ...line.atoms.map(({ object }) => (object?.descent ?? 0) + 1))
  return {
    height: above + below,
    gap: isFirst ? style.gap : 0,
    draw: ({ x, y }) => drawLine(line, { canvas, x: x + indentOf(line, style), baseline: y + above }),
  }
}

function indentOf({ width, base }: Line, { width: room, align = 'start' }: ParagraphStyle): number {
  if (align === 'center') return (room - width) / 2
  if (align === 'right') return room - width
  return (align === 'end') === (base === 'rtl') ? 0 : room - width
}

interface LineSpot {
  canvas: Canvas
  x: number
  baseline: number
}

function drawLine({ atoms, base }: Line, { canvas, x, baseline }: LineSpot): void {
  const levelled =
    base === 'rtl' ? atoms.map(atom => (atom.isSpace ? { ...atom, level: atom.level | 1 } : atom)) : atoms
  const isPlain = levelled.every(({ level }) => level === 0)
  let at = x
  for (const group of groupsOf(isPlain ? levelled : visualOrder(levelled))) {
    drawGroup(group, { canvas, x: at, baseline })
    at += group.width
  }
}

interface Group {
  atoms: Atom[]
  width: number
}

/** Neighbours of one style, which are drawn at once. */
function groupsOf(atoms: readonly Atom[]): Group[] {
  const groups: Group[] = []
  for (const atom of atoms) {
    const last = groups.at(-1)
    if (last && atom.style && last.atoms[0]?.style === atom.style) {
      last.atoms.push(atom)
      last.width += atom.width
    } else groups.push({ atoms: [atom], width: atom.width })
  }
  return groups
}

function drawGroup({ atoms, width }: Group, { canvas, x, baseline }: LineSpot): void {
  const [first] = atoms
  const { style, object } = first ?? {}
  for (const name of atoms.flatMap(({ anchors = [] }) => anchors))
    canvas.doc.addNamedDestination(name, 'XYZ', null, baseline - 24, null)
  if (object) {
    object.draw({ x, baseline })
    if (object.link)
      canvas.link({ x, y: baseline - object.ascent, width, height: object.ascent + object.descent }, object.link)
  }
  if (!style) return
  drawBehind(style, { canvas, x, baseline }, width)
  drawRuns(atoms, style, { canvas, x, baseline: baseline - (style.rise ?? 0) })
  if (style.strike)
    canvas.line({ x, y: baseline - style.size * 0.3 }, { x: x + width, y: baseline - style.size * 0.3 }, style)
  if (style.link && width > 0) canvas.link({ x, y: baseline - style.size, width, height: style.size * 1.3 }, style.link)
}

function drawBehind({ background, frame, size }: TextStyle, { canvas, x, baseline }: LineSpot, width: number): void {
  if (background === undefined && frame === undefined) return
  const rect = { x: x - 1, y: baseline - size * 1.02, width: width + 2, height: size * 1.36 }
  canvas.rect(rect, { radius: 2, ...(background && { fill: background }), ...(frame && { stroke: frame }) })
}

/** Words that run from left to right in one font are drawn with the spaces between them, so that they are read as one text. */
function drawRuns(atoms: readonly Atom[], style: TextStyle, { canvas, x, baseline }: LineSpot): void {
  let at = x
  let pending = { font: '', text: '', x }
  const flush = () => {
    if (pending.text !== '') canvas.text(pending, { x: pending.x, y: baseline }, style)
    pending = { font: '', text: '', x: at }
  }
  for (const { runs = [], level } of atoms) {
    for (const run of runs) {
      if (pending.font !== run.font || level % 2 === 1) flush()
      pending.font = run.font
      pending.text += run.text
      at += run.advance * style.size
      if (level % 2 === 1) flush()
    }
  }
  flush()
}
