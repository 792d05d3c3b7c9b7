import type { DocumentBlock } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Flow } from '../drawing/pieces.ts'
import { linkOf } from './inlines.ts'
import { area, colors, sizes } from '../drawing/theme.ts'
import { linkBox } from './link-box.ts'
import { inside, textFlow } from './styles.ts'

/** How a picture is scaled and placed. */
interface PictureStyle {
  width?: unknown
  height?: unknown
  alt?: string
  align?: string | undefined
  maxHeight?: number
}

/** Points of a pixel. */
const point = 0.75

/** Pictures with their captions. */
export function* imagesFlow({ data = {}, nodes = [] }: DocumentBlock, context: Context): Flow {
  for (const image of nodes) {
    if (image.object !== 'block') continue
    const { ref, alt, width, height } = image.data ?? {}
    const align = typeof data['align'] === 'string' ? data['align'] : undefined
    const caption = (image.fragments ?? []).find(({ fragment }) => fragment === 'caption')?.nodes ?? []
    const style = { width, height, align, ...(typeof alt === 'string' && { alt }) }
    for (const piece of pictureFlow(ref, style, context)) yield caption.length > 0 ? { ...piece, keep: true } : piece
    yield* captionFlow(caption, context)
  }
}

/** The words below a picture, a file or an embed. */
export function* captionFlow(caption: readonly DocumentBlock[], context: Context): Flow {
  const place = { ...inside(context, 0), size: sizes.small, color: colors.quiet }
  for (const block of caption) yield* textFlow(block.nodes ?? [], place, { align: 'center', gap: 3 })
}

/** A picture, scaled to its room; what cannot be shown is a link to it. */
export function* pictureFlow(ref: unknown, style: PictureStyle, context: Context): Flow {
  const picture = context.assets.picture(ref)
  if (!picture) {
    yield* missingFlow(ref, style, context)
    return
  }
  const natural = { width: picture.width * point, height: picture.height * point }
  const wished = wishedWidth(style, natural, context.width)
  const most = { width: context.width, height: style.maxHeight ?? area.height * 0.72 }
  const scale = Math.min(wished / natural.width, most.width / natural.width, most.height / natural.height)
  const width = natural.width * scale
  const height = natural.height * scale
  const free = context.width - width
  const left = style.align === 'left' ? 0 : style.align === 'right' ? free : free / 2
  const draw = ({ x, y }: { x: number; y: number }) => picture.draw({ x: x + left, y, width, height })
  yield { height, gap: 9, draw }
}

function wishedWidth(
  { width, height }: PictureStyle,
  natural: { width: number; height: number },
  room: number,
): number {
  const wide = lengthOf(width, room)
  if (wide !== undefined) return wide
  const high = lengthOf(height, area.height)
  return high === undefined ? natural.width : (natural.width * high) / natural.height
}

function lengthOf(length: unknown, room: number): number | undefined {
  if (typeof length === 'number' && length > 0) return length * point
  const { value, unit } = (typeof length === 'object' && length !== null ? length : {}) as {
    value?: number
    unit?: string
  }
  if (value === undefined || value <= 0) return undefined
  return unit === '%' ? (room * value) / 100 : value * point
}

function missingFlow(ref: unknown, { alt }: PictureStyle, context: Context): Flow {
  const { target } = linkOf(ref, context)
  const title = alt || target?.file?.name || 'Image'
  const why = context.assets.fault(ref)
  const detail = [target?.file?.name ?? target?.url, why].filter(part => part && part !== title).join(' · ')
  return linkBox({ kind: 'Image', title, detail, ref }, context)
}
