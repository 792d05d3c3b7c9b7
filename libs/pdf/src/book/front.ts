import type { Canvas } from '../drawing/canvas.ts'
import { destinationOf, type Book } from '../model/model.ts'
import { paragraph } from '../text/paragraph.ts'
import { textParts } from '../text/text-parts.ts'
import { drawAll, type Flow, type Piece } from '../drawing/pieces.ts'
import { area, colors, sheet, sizes } from '../drawing/theme.ts'
import type { Sheets } from './sheets.ts'

/** The title, what it is of, and the day of the content. */
export function drawTitle({ title, subtitle, date }: Book, canvas: Canvas): void {
  const size = title.length > 60 ? 26 : 34
  const line = (text: string, style: { size: number; color: string; bold?: boolean }, gap: number) => [
    ...paragraph(textParts(text, style), { width: area.width, size: style.size, lead: 1.25, gap }, canvas),
  ]
  canvas.rect({ x: 0, y: 0, width: 14, height: sheet.height }, { fill: colors.accent })
  const pieces: Piece[] = [
    ...line(title.slice(0, 300), { size, color: colors.heading, bold: true }, 0),
    ...(subtitle ? line(subtitle.slice(0, 500), { size: 14, color: colors.quiet }, 14) : []),
    ...line(dayOf(date), { size: 11, color: colors.quiet }, 26),
  ]
  drawAll(pieces, { x: sheet.left, y: 260 })
}

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** The pages with the numbers of their sheets, linked. */
export function* contentsFlow({ pages }: Book, sheets: Sheets, canvas: Canvas): Flow {
  const heading = { size: 20, color: colors.heading, bold: true }
  const layout = { width: area.width, size: 20, lead: 1.3, gap: 0, keep: true }
  for (const piece of paragraph(textParts('Contents', heading), layout, canvas))
    yield { ...piece, height: piece.height + 12 }
  for (const { id, title, depth, isGroup } of pages) {
    const indent = Math.min(depth, 8) * 14
    const isTop = depth === 0
    const style = { size: sizes.body, color: isTop ? colors.heading : colors.text, bold: isTop || isGroup === true }
    const number = sheets.numberOf(id)
    const entry = { number: number === undefined ? '' : String(number), destination: destinationOf(id), style }
    const room = { width: area.width - indent - 44, size: sizes.body, lead: 1.45, gap: isTop ? 5 : 0 }
    const end = canvas.labelWidth(title.slice(0, 400), style)
    const lines = [...paragraph(textParts(title.slice(0, 400), style), room, canvas)]
    for (const [at, line] of lines.entries())
      yield entryPiece(
        line,
        { ...entry, indent, end: lines.length === 1 ? end : undefined, isLast: at === lines.length - 1 },
        canvas,
      )
  }
}

interface Entry {
  number: string
  destination: string
  indent: number
  /** Where the title ends, if it has one line. */
  end: number | undefined
  isLast: boolean
  style: { size: number; color: string }
}

function entryPiece(line: Piece, { number, destination, indent, end, isLast, style }: Entry, canvas: Canvas): Piece {
  return {
    height: line.height,
    gap: line.gap,
    draw({ x, y, gap }) {
      line.draw({ x: x + indent, y, gap })
      canvas.link({ x: x + indent, y, width: area.width - indent, height: line.height }, { destination })
      if (!isLast) return
      const wide = canvas.labelWidth(number, style)
      const baseline = y + line.height / 2 + style.size * 0.36
      canvas.label(number, { x: x + area.width - wide, y: baseline }, style)
      if (end !== undefined)
        drawDots({ from: x + indent + end + 5, to: x + area.width - wide - 5, y: baseline }, canvas)
    },
  }
}

/** Leads the eye from a title to its number. */
function drawDots({ from, to, y }: { from: number; to: number; y: number }, { doc }: Canvas): void {
  if (to - from < 12) return
  doc
    .save()
    .dash(0.8, { space: 3.2 })
    .moveTo(from, y)
    .lineTo(to, y)
    .lineWidth(0.8)
    .stroke(colors.line)
    .undash()
    .restore()
}
