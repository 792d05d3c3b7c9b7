import type { Context } from './context.ts'
import { boxed, panel, type Flow } from '../drawing/pieces.ts'
import { linkOf } from './inlines.ts'
import { textParts } from '../text/text-parts.ts'
import type { Inline } from '../text/style.ts'
import { colors, sizes } from '../drawing/theme.ts'
import { indentOf, inlineFlow, inside } from './styles.ts'

/** The text of a box that leads somewhere. */
export interface LinkBox {
  kind: string
  title: string
  detail?: string
  ref?: unknown
  url?: string
}

const padding = 11

/** A box that leads to a page, a file or a URL. */
export function linkBox({ kind, title, detail, ref, url }: LinkBox, context: Context): Flow {
  const { canvas, width } = context
  const linkFields = ref === undefined ? {} : linkOf(ref, context)
  const link = linkFields.link ?? (url !== undefined && /^https?:/i.test(url) ? { url } : undefined)
  const place = inside(context, 2 * padding)
  const inlines: Inline[] = [
    ...textParts(`${kind}  `, { size: sizes.small, color: colors.quiet }),
    ...textParts(title, {
      size: sizes.body,
      color: link ? colors.link : colors.text,
      bold: true,
      ...(link && { link }),
    }),
  ]
  const flow = function* (): Flow {
    for (const piece of inlineFlow(inlines, place, { gap: 0 })) yield detail ? { ...piece, keep: true } : piece
    if (!detail) return
    const style = { size: sizes.small, color: colors.quiet }
    yield* inlineFlow(textParts(detail, style), { ...place, size: sizes.small }, { gap: 1 })
  }
  const paint = panel(canvas, { width, fill: colors.panel, border: colors.line })
  return boxed(flow(), { left: indentOf(context, place, padding), top: 6, bottom: 6, gap: 9, paint })
}
