import { emojiFromCodePoints } from '@recto/text'
import type { DocumentInline, DocumentLeaf, DocumentNode } from '@recto/markdown/schema'
import type { LinkTo } from '../drawing/canvas.ts'
import type { Context } from './context.ts'
import { destinationOf, refKey, type Target } from '../model/model.ts'
import { colors, documentColor } from '../drawing/theme.ts'
import type { Inline, TextStyle } from '../text/style.ts'
import { textParts } from '../text/text-parts.ts'

/** The parts of a text of a document. */
export function inlinesOf(nodes: readonly DocumentNode[], style: TextStyle, context: Context): Inline[] {
  return nodes.flatMap((node): Inline[] => {
    if (node.object === 'text') return node.leaves.flatMap(leaf => leafParts(leaf, style))
    if (node.object === 'inline') return inlineParts(node, style, context)
    return inlinesOf(node.nodes ?? [], style, context)
  })
}

function leafParts({ text, marks }: DocumentLeaf, style: TextStyle): Inline[] {
  const marked = marks.reduce(withMark, style)
  return textParts(text, marked)
}

function withMark(style: TextStyle, mark: DocumentLeaf['marks'][number]): TextStyle {
  switch (mark.type) {
    case 'bold':
      return { ...style, bold: true }
    case 'italic':
      return { ...style, italic: true }
    case 'strikethrough':
      return { ...style, strike: true }
    case 'superscript':
      return { ...style, size: style.size * 0.72, rise: style.size * 0.34 }
    case 'subscript':
      return { ...style, size: style.size * 0.72, rise: -style.size * 0.16 }
    case 'keyboard':
      return { ...style, mono: true, size: style.size * 0.86, background: '#ffffff', frame: colors.line }
    case 'code':
      return { ...style, mono: true, size: style.size * 0.88, background: colors.inlineCode }
    case 'color': {
      const { text, background } = mark.data
      const behind = documentColor(background, 'background')
      return { ...style, color: documentColor(text, 'text') ?? style.color, ...(behind && { background: behind }) }
    }
  }
}

type ReadInline = (node: DocumentInline, style: TextStyle, context: Context) => Inline[]

function inlineParts(node: DocumentInline, style: TextStyle, context: Context): Inline[] {
  return readers[node.type](node, style, context)
}

const readers: Record<DocumentInline['type'], ReadInline> = {
  link({ data = {}, nodes = [] }, style, context) {
    const { link, target } = linkOf(data['ref'], context)
    const inside = nodes.length > 0 ? nodes : [textNode(target?.title ?? target?.url ?? '')]
    return inlinesOf(inside, link ? { ...style, color: colors.link, link } : style, context)
  },
  emoji: ({ data = {} }, style) => textParts(emojiFromCodePoints(String(data['code'])) ?? '', style),
  icon: () => [],
  expression: ({ data = {} }, style) =>
    textParts(String(data['expression'] ?? ''), {
      ...style,
      mono: true,
      size: style.size * 0.88,
      background: colors.inlineCode,
    }),
  'inline-math': ({ data = {} }, style, context) => mathParts(String(data['formula'] ?? ''), style, context),
  'inline-image': ({ data = {} }, style, context) => imageParts(data, style, context),
  annotation({ nodes = [], fragments = [] }, style, context) {
    const number = context.notes.add(fragments.flatMap(({ nodes: body }) => body))
    const destination = context.notes.destinationOf(number)
    const mark: TextStyle = {
      size: style.size * 0.7,
      rise: style.size * 0.36,
      color: colors.link,
      link: { destination },
    }
    return [...inlinesOf(nodes, style, context), { kind: 'text', text: String(number), style: mark }]
  },
  mention({ data = {}, nodes = [] }, style, context) {
    const { link, target } = linkOf(data['ref'], context)
    if (nodes.length > 0) return inlinesOf(nodes, style, context)
    return textParts(target?.title ?? target?.url ?? '', link ? { ...style, color: colors.link, link } : style)
  },
  button({ data = {} }, style, context) {
    const { link } = linkOf(data['ref'], context)
    const isPrimary = data['kind'] !== 'secondary'
    const look = isPrimary
      ? { color: '#ffffff', background: colors.accent }
      : { frame: colors.line, background: '#ffffff' }
    return textParts(` ${String(data['label'] ?? '')} `.replaceAll(' ', '\u00a0'), {
      ...style,
      ...look,
      bold: true,
      ...(link && { link }),
    })
  },
}

/** The link of a reference; none where it leads nowhere. */
export function linkOf(ref: unknown, { content, book }: Context): { link?: LinkTo; target?: Target } {
  const target = content.targets[refKey(ref)]
  if (!target) return {}
  if (target.page !== undefined && book.has(target.page))
    return { target, link: { destination: book.linkTo(destinationOf(target.page, target.anchor), target.page) } }
  if (target.url !== undefined && /^(?:https?|mailto|tel|ftp):/i.test(target.url))
    return { target, link: { url: URL.canParse(target.url) ? new URL(target.url).href : target.url } }
  return { target }
}

function mathParts(formula: string, style: TextStyle, context: Context): Inline[] {
  const math = context.assets.math(formula, { size: style.size, isDisplay: false, width: context.width })
  return math
    ? [{ kind: 'object', object: math }]
    : textParts(formula, { ...style, mono: true, size: style.size * 0.88, background: colors.inlineCode })
}

function imageParts(data: Record<string, unknown>, style: TextStyle, context: Context): Inline[] {
  const picture = context.assets.picture(data['ref'])
  if (!picture) {
    const { link, target } = linkOf(data['ref'], context)
    const words = String(data['alt'] ?? '') || target?.file?.name || target?.url || 'image'
    return textParts(`[${words}]`, { ...style, ...(link && { color: colors.link, link }) })
  }
  const natural = { width: picture.width * 0.75, height: picture.height * 0.75 }
  const most =
    data['size'] === 'original'
      ? { width: context.width, height: 320 }
      : { width: context.width, height: data['size'] === 'line' ? style.size * 1.3 : 220 }
  const scale = Math.min(1, most.width / natural.width, most.height / natural.height)
  const width = natural.width * scale
  const height = natural.height * scale
  const descent = height <= style.size * 1.5 ? height * 0.2 : 0
  const draw = ({ x, baseline }: { x: number; baseline: number }) =>
    picture.draw({ x, y: baseline - height + descent, width, height })
  return [{ kind: 'object', object: { width, ascent: height - descent, descent, draw } }]
}

function textNode(text: string): DocumentNode {
  return { object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }
}
