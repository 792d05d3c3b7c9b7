import type { DocumentBlock, DocumentNode } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { boxed, panel, withGap, withMark, type Flow, type Spot } from '../drawing/pieces.ts'
import { textParts } from '../text/text-parts.ts'
import { colors, hints, sizes } from '../drawing/theme.ts'
import { rowFlow, type Cell } from './beside.ts'
import { indentOf, inlineFlow, inside, textFlow, textStyle } from './styles.ts'

/** The blocks in a block. */
export function blocksIn({ nodes = [] }: { nodes?: DocumentNode[] | undefined }): DocumentBlock[] {
  return nodes.filter(node => node.object === 'block')
}

/** A coloured box with a bar and a mark of its style. */
export function hintFlow(block: DocumentBlock, context: Context): Flow {
  const style = (block.data?.['style'] ?? 'info') as keyof typeof hints
  const { fill, line } = hints[style] ?? hints.info
  const { canvas, width } = context
  const place = inside(context, 46)
  const body = withMark(withGap(context.layout(blocksIn(block), place), 0), ({ x, y }) =>
    hintMark(style, { x: x - 21, y: y + (context.size * sizes.lead) / 2 }, { canvas, color: line }),
  )
  return boxed(body, {
    left: indentOf(context, place, 34),
    top: 9,
    bottom: 9,
    gap: 10,
    paint: panel(canvas, { width, fill, bar: line }),
  })
}

/** A disk with `i`, `!`, `×` or a tick. */
function hintMark(
  style: keyof typeof hints,
  { x, y }: { x: number; y: number },
  { canvas, color }: Pick<Context, 'canvas'> & { color: string },
): void {
  canvas.doc.circle(x + 6, y, 6).fill(color)
  const at = (dx: number, dy: number) => [x + 6 + dx, y + dy] as const
  const white = (path: PDFKit.PDFDocument) => path.lineWidth(1.2).stroke('#ffffff')
  if (style === 'success')
    return void white(
      canvas.doc
        .moveTo(...at(-2.7, 0.2))
        .lineTo(...at(-0.8, 2.3))
        .lineTo(...at(2.9, -2.2)),
    )
  if (style === 'danger') {
    white(canvas.doc.moveTo(...at(-2.1, -2.1)).lineTo(...at(2.1, 2.1)))
    return void white(canvas.doc.moveTo(...at(2.1, -2.1)).lineTo(...at(-2.1, 2.1)))
  }
  const isUpright = style === 'warning'
  white(canvas.doc.moveTo(...at(0, isUpright ? -3.3 : -0.8)).lineTo(...at(0, isUpright ? 0.9 : 3.3)))
  canvas.doc.circle(x + 6, y + (isUpright ? 2.7 : -2.7), 0.8).fill('#ffffff')
}

/** Quoted blocks beside a bar. */
export function quoteFlow(block: DocumentBlock, context: Context): Flow {
  const { canvas } = context
  const place = { ...inside(context, 14), color: colors.quiet }
  const body = withGap(context.layout(blocksIn(block), place), 0)
  const paint = ({ x, y, height }: { x: number; y: number; height: number }) =>
    canvas.rect({ x, y, width: 2.2, height }, { fill: colors.line })
  return boxed(body, { left: indentOf(context, place, 14), top: 1, bottom: 1, gap: 9, paint })
}

/** A title in bold that stays with what follows. */
export function* titleLine(title: readonly DocumentNode[] | string, context: Context, gap: number): Flow {
  const style = { bold: true, color: colors.heading }
  const flow =
    typeof title === 'string'
      ? inlineFlow(textParts(title, { ...textStyle(context), ...style }), context, { gap, keep: true })
      : textFlow(title, context, { gap, keep: true, style })
  yield* flow
}

/** All tabs, one after another. */
export function tabsFlow(block: DocumentBlock, context: Context): Flow {
  const { canvas, width } = context
  const place = inside(context, 24)
  const flow = function* (): Flow {
    for (const [at, tab] of blocksIn(block).entries()) {
      yield* tabTitle(String(tab.data?.['title'] ?? `${at + 1}`), { isFirst: at === 0, id: tab.meta?.id }, place)
      yield* context.layout(blocksIn(tab), place)
    }
  }
  const paint = panel(canvas, { width, border: colors.line })
  return boxed(flow(), { left: indentOf(context, place, 12), top: 8, bottom: 10, gap: 10, paint })
}

function* tabTitle(title: string, tab: { isFirst: boolean; id: string | undefined }, context: Context): Flow {
  const { canvas, width } = context
  const style = { ...textStyle(context), bold: true, color: colors.accent }
  let isFirst = true
  for (const piece of inlineFlow(textParts(title, style), context, { gap: tab.isFirst ? 0 : 14, keep: true })) {
    const rule = (spot: Spot) => {
      if (!tab.isFirst)
        canvas.line(
          { x: spot.x - 12, y: spot.y - 7 },
          { x: spot.x + width + 12, y: spot.y - 7 },
          { color: colors.faint },
        )
      if (tab.id !== undefined) context.anchor(tab.id, spot.y)
    }
    const draw = isFirst ? (spot: Spot) => (rule(spot), piece.draw(spot)) : piece.draw
    yield { ...piece, draw }
    isFirst = false
  }
}

/** An expandable is open: its title, then what it holds. */
export function expandableFlow(block: DocumentBlock, context: Context): Flow {
  const part = (name: string) => block.fragments?.find(({ fragment }) => fragment === name)?.nodes ?? []
  const { canvas, width } = context
  const place = inside(context, 30)
  const flow = function* (): Flow {
    const title = part('expandable-title').flatMap(({ nodes = [] }) => nodes)
    const mark = ({ x, y }: Spot) => {
      const middle = y + (context.size * sizes.lead) / 2
      canvas.doc.polygon([x - 12, middle - 2], [x - 5, middle - 2], [x - 8.5, middle + 2.6]).fill(colors.quiet)
      if (block.meta?.id !== undefined) context.anchor(block.meta.id, y)
    }
    yield* withMark(titleLine(title, place, 0), mark)
    yield* context.layout(part('expandable-body'), place)
  }
  const paint = panel(canvas, { width, border: colors.line })
  return boxed(flow(), { left: indentOf(context, place, 22), top: 7, bottom: 8, gap: 9, paint })
}

/** Steps with their numbers along a line. */
export function* stepperFlow(block: DocumentBlock, context: Context): Flow {
  const { canvas } = context
  const place = inside(context, 28)
  const steps = blocksIn(block)
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const paint = ({ x, y, height, isFirst }: { x: number; y: number; height: number; isFirst: boolean }) => {
      if (!(isFirst && height < 30))
        canvas.line(
          { x: x + 9, y: isFirst ? y + 20 : y },
          { x: x + 9, y: y + height },
          { color: colors.line, width: 0.9 },
        )
      if (isFirst) stepNumber(at + 1, { x: x + 9, y: y + 8.5 }, context)
    }
    const body = withGap(context.layout(blocksIn(step), place), 0)
    yield* boxed(body, {
      left: indentOf(context, place, 28),
      top: 0,
      bottom: isLast ? 0 : 14,
      gap: at === 0 ? 10 : 0,
      paint,
    })
  }
}

function stepNumber(number: number, { x, y }: { x: number; y: number }, { canvas }: Context): void {
  const style = { size: 8.5, color: '#ffffff', bold: true }
  canvas.doc.circle(x, y, 8.5).fill(colors.accent)
  canvas.label(String(number), { x: x - canvas.labelWidth(String(number), style) / 2, y: y + 3 }, style)
}

const between = 18

/** Columns beside each other, as wide as they say. */
export function* columnsFlow(block: DocumentBlock, context: Context): Flow {
  const columns = blocksIn(block)
  const room = context.width - between * (columns.length - 1)
  if (room / columns.length < 80) {
    for (const column of columns) yield* context.layout(blocksIn(column), context)
    return
  }
  const widths = columnWidths(columns, room)
  let left = 0
  const cells = columns.map((column, at): Cell => {
    const width = widths[at] ?? 0
    const cell = {
      left,
      pieces: [...withGap(context.layout(blocksIn(column), { ...context, width, depth: context.depth + 1 }), 0)],
    }
    left += width + between
    return cell
  })
  yield* rowFlow(cells, { gap: 10, padding: 0 })
}

function columnWidths(columns: readonly DocumentBlock[], room: number): number[] {
  const shares = columns.map(({ data = {} }) => {
    const { value, unit } = (data['width'] ?? {}) as { value?: number; unit?: string }
    return value !== undefined && value > 0 && unit === '%' ? value : undefined
  })
  const shareTotal = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  const open = shares.filter(share => share === undefined).length
  const rest = open > 0 ? Math.max(100 - shareTotal, 20 * open) / open : 0
  const all = shares.map(share => share ?? rest)
  const total = all.reduce((sum, share) => sum + share, 0)
  const least = Math.min(80, room / columns.length)
  const wide = all.map(share => Math.max(least, (room * share) / total))
  const sum = wide.reduce((all, width) => all + width, 0)
  return wide.map(width => (width * room) / sum)
}

/** Lays out blocks that only some visitors see, with their condition. */
export function conditionFlow(block: DocumentBlock, context: Context): Flow {
  const place = inside(context, 12)
  const label = conditionLine(String(block.data?.['expression'] ?? ''), context)
  const { canvas } = context
  const flow = function* (): Flow {
    yield* label
    yield* context.layout(blocksIn(block), place)
  }
  const paint = ({ x, y, height }: { x: number; y: number; height: number }) =>
    canvas.rect({ x, y, width: 1.4, height }, { fill: colors.faint })
  return boxed(flow(), { left: indentOf(context, place, 12), top: 0, bottom: 0, gap: 9, paint })
}

/** Says under which condition visitors see what follows. */
export function conditionLine(expression: string, context: Context): Flow {
  const style = { size: sizes.small, color: colors.quiet }
  const parts = [
    ...textParts('Shown if ', { ...style, italic: true }),
    ...textParts(expression, { ...style, mono: true, size: sizes.small * 0.92 }),
  ]
  return inlineFlow(parts, { ...context, size: sizes.small }, { gap: 0, keep: true })
}
