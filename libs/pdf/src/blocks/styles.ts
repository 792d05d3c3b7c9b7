import type { DocumentNode } from '@recto/markdown/schema'
import type { Context } from './context.ts'
import type { Flow } from '../drawing/pieces.ts'
import { inlinesOf } from './inlines.ts'
import { paragraph, type ParagraphStyle } from '../text/paragraph.ts'
import type { Inline, TextStyle } from '../text/style.ts'
import { sizes } from '../drawing/theme.ts'

/** The plain style of text at a place. */
export function textStyle({ size, color }: Context): TextStyle {
  return { size, color }
}

/** A paragraph of a document. */
export function textFlow(
  nodes: readonly DocumentNode[],
  context: Context,
  { style = {}, ...layout }: Partial<ParagraphStyle> & { style?: Partial<TextStyle> } = {},
): Flow {
  return inlineFlow(inlinesOf(nodes, { ...textStyle(context), ...style }, context), context, layout)
}

/** A paragraph of parts. */
export function inlineFlow(inlines: readonly Inline[], context: Context, layout: Partial<ParagraphStyle> = {}): Flow {
  const { width, size, canvas } = context
  return paragraph(inlines, { width, size, lead: sizes.lead, gap: size * 0.7, ...layout }, canvas)
}

/** The narrowest that blocks become; those in them go on at the same width. */
const narrowest = 90

/** How far what is inside of a block moves to the right: not at all where it is not narrower. */
export function indentOf(outer: Context, inner: Context, most: number): number {
  return Math.min(most, outer.width - inner.width)
}

/** The context inside of a block, narrower by so much. */
export function inside(context: Context, by: number): Context {
  return {
    ...context,
    width: Math.max(context.width - by, Math.min(context.width, narrowest)),
    depth: context.depth + 1,
  }
}
