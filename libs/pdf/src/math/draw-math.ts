import type { Canvas } from '../drawing/canvas.ts'
import type { InlineObject } from '../text/style.ts'
import { colors } from '../drawing/theme.ts'
import type { MathNode } from './mathjax.ts'
import { withoutShorthand } from './path.ts'

/** How a formula is drawn. */
export interface MathStyle {
  size: number
  isDisplay: boolean
  /** Room for it: a wider formula is made smaller. */
  width: number
}

interface Paint {
  canvas: Canvas
  color: string
}

/** A formula as something that stands in a line; undefined when it is empty. */
export function mathObject(svg: MathNode, { size, width: room }: MathStyle, canvas: Canvas): InlineObject | undefined {
  const [left = 0, top = 0, wide = 0, high = 0] = numbersOf(svg.attributes['viewBox'])
  if (wide <= 0 || high <= 0) return undefined
  const scale = Math.min(size / 1000, room / wide)
  return {
    width: wide * scale,
    ascent: Math.max(0, -top * scale),
    descent: Math.max(0, (top + high) * scale),
    draw({ x, baseline }) {
      canvas.doc
        .save()
        .translate(x - left * scale, baseline)
        .scale(scale)
      for (const child of svg.children) drawNode(child, { canvas, color: colors.text })
      canvas.doc.restore()
    },
  }
}

function drawNode(node: MathNode, paint: Paint): void {
  const { attributes, children, kind } = node
  const fill = attributes['fill']
  const own = fill === undefined || fill === 'currentColor' || fill === 'none' ? paint : { ...paint, color: fill }
  const { doc } = paint.canvas
  doc.save()
  transform(attributes['transform'], doc)
  if (kind === 'svg') place(attributes, doc)
  drawShape(node, own)
  for (const child of children) if (kind !== 'text') drawNode(child, own)
  doc.restore()
}

function drawShape({ kind, attributes, children }: MathNode, { canvas, color }: Paint): void {
  const { doc } = canvas
  const number = (name: string) => Number(attributes[name] ?? 0) || 0
  const stroke = Number(attributes['stroke-width'] ?? 60) || 60
  if (kind === 'path' && attributes['d']) doc.path(withoutShorthand(attributes['d'])).fill(colorOf(color))
  if (kind === 'line')
    doc.moveTo(number('x1'), number('y1')).lineTo(number('x2'), number('y2')).lineWidth(stroke).stroke(colorOf(color))
  if (kind === 'rect') {
    doc.rect(number('x'), number('y'), number('width'), number('height'))
    if (attributes['fill'] === 'none') doc.lineWidth(stroke).stroke(colorOf(color))
    else doc.fill(colorOf(color))
  }
  if (kind === 'text')
    drawText(children, { canvas, color, size: Number.parseFloat(attributes['font-size'] ?? '') || 884 })
}

/** Letters that MathJax has no shapes for. */
function drawText(children: readonly MathNode[], { canvas, color, size }: Paint & { size: number }): void {
  canvas.label(children.map(({ value = '' }) => value).join(''), { x: 0, y: 0 }, { size, color: colorOf(color) })
}

/** A drawing within the drawing: a part of a bracket that is stretched. */
function place(attributes: Record<string, string>, doc: PDFKit.PDFDocument): void {
  const [left = 0, top = 0, wide = 1, high = 1] = numbersOf(attributes['viewBox'])
  const [width = wide, height = high] = [attributes['width'], attributes['height']].map(value =>
    Number.parseFloat(value ?? ''),
  )
  const [x = 0, y = 0] = [attributes['x'], attributes['y']].map(value => Number.parseFloat(value ?? '0') || 0)
  if (![wide, high, width, height].every(value => Number.isFinite(value) && value > 0)) return
  doc
    .translate(x, y)
    .scale(width / wide, height / high)
    .translate(-left, -top)
  doc.rect(left, top, wide, high).clip()
}

function transform(attribute: string | undefined, doc: PDFKit.PDFDocument): void {
  for (const [, name, values = ''] of attribute?.matchAll(/(\w+)\(([^)]*)\)/g) ?? []) {
    const [a = 0, b] = numbersOf(values)
    if (name === 'translate') doc.translate(a, b ?? 0)
    if (name === 'scale') doc.scale(a, b ?? a)
    if (name === 'rotate') doc.rotate(a)
  }
}

function numbersOf(attribute = ''): number[] {
  return (attribute.match(/-?\d*\.?\d+(?:e-?\d+)?/gi) ?? []).map(Number)
}

/** Colours that pdfkit knows by name or number; the text's for all else. */
function colorOf(color: string): string {
  return /^(?:#[0-9a-f]{6}|#[0-9a-f]{3}|[a-z]{3,20})$/i.test(color) && color !== 'currentColor' ? color : colors.text
}
