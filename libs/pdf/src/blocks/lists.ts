import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import { shifted, withGap, withMark, type Flow, type Spot } from '../drawing/pieces.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { indentOf, inside } from './styles.ts'

type Mark = (spot: Spot) => void

const indent = 20

/** Items with their marks at the left. */
export function* listFlow(list: DocumentBlock, context: Context): Flow {
  const start = Number(list.data?.['start'] ?? 1)
  for (const [at, item] of (list.nodes ?? []).entries()) {
    if (item.object !== 'block') continue
    const nodes = (item.nodes ?? []).filter(node => node.object === 'block')
    const mark = markOf(list, { item, number: start + at, context })
    const gap = at === 0 && context.depth === 0 ? context.size * 0.6 : context.size * 0.35
    const place = inside(context, indent)
    const left = indentOf(context, place, indent)
    const body = withGap(context.layout(nodes, place), gap)
    yield* withMark(shifted(body, left), spot => mark({ ...spot, x: spot.x + left - indent }))
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
    return ({ x, y }) => {
      const [left, middle] = [x + indent - 11, baseline(y) - size * 0.32]
      const isOuter = context.depth % 2 === 0
      canvas.doc.circle(left, middle, size * 0.17).lineWidth(0.7)
      if (isOuter) canvas.doc.fill(colors.quiet)
      else canvas.doc.stroke(colors.quiet)
    }
  }
  return ({ x, y }) => {
    const style = { size, color: colors.quiet }
    const text = `${number}.`
    canvas.label(text, { x: x + indent - 5 - canvas.labelWidth(text, style), y: baseline(y) }, style)
  }
}

function taskMark(isChecked: boolean, { canvas, size }: Context): Mark {
  return ({ x, y }) => {
    const side = size * 0.82
    const box = { x: x + indent - side - 7, y: y + (size * sizes.lead - side) / 2 + 0.4, width: side, height: side }
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
