import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { shifted, withGap, withMark, type Flow } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { directionOf } from '../text/bidi.ts'
import { indentOf, inside } from './styles.ts'
import { textOf } from './text-of.ts'

/** Draws the mark of an item whose text begins at `x`, and goes from there to the right, or to the left. */
type Mark = (spot: { x: number; y: number; towards: 1 | -1 }) => void

const indent = 20

/** Items with their marks before them: at the left, or at the right of texts that run from right to left. */
export function* listFlow(list: DocumentBlock, context: Context): Flow {
  const start = Number(list.data?.['start'] ?? 1)
  for (const [at, item] of (list.nodes ?? []).entries()) {
    if (item.object !== 'block') continue
    const nodes = (item.nodes ?? []).filter(node => node.object === 'block')
    const mark = markOf(list, { item, number: start + at, context })
    const gap = at === 0 && context.depth === 0 ? context.size * 0.6 : context.size * 0.35
    const place = inside(context, indent)
    const free = indentOf(context, place, indent)
    const isRtl = directionOf(textOf(nodes)).base === 'rtl'
    const left = isRtl ? 0 : free
    const body = withGap(context.layout(nodes, place), gap)
    const begin = isRtl ? place.width : left
    yield* withMark(shifted(body, left), ({ x, y }) => mark({ x: x + begin, y, towards: isRtl ? -1 : 1 }))
  }
}

interface MarkOptions {
  item: DocumentBlock
  number: number
  context: Context
}

function markOf(list: DocumentBlock, { item, number, context }: MarkOptions): Mark {
  const { canvas, size } = context
  const baseline = (y: number) => y + (size * sizes.lead) / 2 + size * 0.36
  if (typeof item.data?.['checked'] === 'boolean') return taskMark(item.data['checked'], context)
  if (list.type !== 'list-ordered') {
    return ({ x, y, towards }) => {
      const center = x - 11 * towards
      const middle = baseline(y) - size * 0.32
      const isOuter = context.depth % 2 === 0
      canvas.doc.circle(center, middle, size * 0.17).lineWidth(0.7)
      if (isOuter) canvas.doc.fill(colors.quiet)
      else canvas.doc.stroke(colors.quiet)
    }
  }
  return ({ x, y, towards }) => {
    const style = { size, color: colors.quiet }
    const text = towards === 1 ? `${number}.` : `.${number}`
    const left = towards === 1 ? x - 5 - canvas.labelWidth(text, style) : x + 5
    canvas.label(text, { x: left, y: baseline(y) }, style)
  }
}

function taskMark(isChecked: boolean, { canvas, size }: Context): Mark {
  return ({ x, y, towards }) => {
    const side = size * 0.82
    const box = {
      x: towards === 1 ? x - side - 7 : x + 7,
      y: y + (size * sizes.lead - side) / 2 + 0.4,
      width: side,
      height: side,
    }
    canvas.rect(box, isChecked ? { fill: colors.accent, radius: 1.5 } : { stroke: colors.quiet, radius: 1.5 })
    if (!isChecked) return
    const point = (dx: number, dy: number) => [box.x + side * dx, box.y + side * dy] as const
    canvas.doc
      .moveTo(...point(0.22, 0.52))
      .lineTo(...point(0.42, 0.74))
      .lineTo(...point(0.78, 0.28))
      .lineWidth(1.1)
      .stroke('#ffffff')
  }
}
