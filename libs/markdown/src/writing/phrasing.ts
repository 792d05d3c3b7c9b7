import { emojiFromCodePoints } from '@recto/text'
import type { PhrasingContent } from 'mdast'
import { emojiName } from '../document/emoji.ts'
import { isRaw } from '../document/marks.ts'
import { trimmed } from '../document/html-flow.ts'
import type { DocumentInline, DocumentNode, DocumentRef } from '../document/schema.ts'
import {
  emojiHtml,
  iconHtml,
  inlineImageHtml,
  openButton,
  openFootnote,
  openLink,
  openMark,
  type WriteContext,
} from './inline-html.ts'
import { groupPieces, tagOfMark, type MarkedGroup, type Piece } from './pieces.ts'

/** Text as nodes of Markdown. `breaks` says how a line break is written: not as such where a line is all there is. */
export function toPhrasing(
  nodes: readonly DocumentNode[],
  context: WriteContext,
  breaks: 'markdown' | 'html' = 'markdown',
): PhrasingContent[] {
  const write = (piece: Piece | MarkedGroup): PhrasingContent[] => {
    if ('mark' in piece) return marked(piece, piece.inside.flatMap(write))
    if ('footnote' in piece) return [footnote(context.addFootnote(piece.footnote))]
    if ('inline' in piece) return inlineNodes(piece.inline, context, breaks)
    if (isRaw(piece.marks)) return [html(piece.text)]
    if (piece.marks.length > 0) return [{ type: 'inlineCode', value: piece.text.replaceAll('\n', ' ') }]
    return piece.text
      .split('\n')
      .flatMap((value, at): PhrasingContent[] => [
        ...(at === 0 ? [] : [breaks === 'html' ? html('<br>') : { type: 'break' as const }]),
        ...(value === '' ? [] : [{ type: 'text' as const, value }]),
      ])
  }
  return noteWords(
    withEdgeBreaks(
      groupPieces(breaks === 'html' ? trimmed(structuredClone(nodes) as DocumentNode[]) : nodes).flatMap(write),
    ),
  )
}

declare module 'mdast' {
  interface EmphasisData {
    /** A letter or a digit stands before or after it. */
    isWithinWord?: boolean
  }
}

/** A line break at an edge is no line break of Markdown. */
function withEdgeBreaks(nodes: PhrasingContent[]): PhrasingContent[] {
  const first = nodes.findIndex(({ type }) => type !== 'break')
  const last = nodes.findLastIndex(({ type }) => type !== 'break')
  return nodes.map((node, at) =>
    node.type === 'break' && (at < first || at > last || first < 0) ? html('<br>') : node,
  )
}

function noteWords(nodes: PhrasingContent[]): PhrasingContent[] {
  const textAt = (at: number) => {
    const node = nodes[at]
    return node?.type === 'text' ? node.value : ''
  }
  return nodes.map((node, at) => {
    if (node.type !== 'emphasis') return node
    const isWithinWord = /[\p{L}\p{N}]$/u.test(textAt(at - 1)) || /^[\p{L}\p{N}]/u.test(textAt(at + 1))
    return isWithinWord ? { ...node, data: { isWithinWord } } : node
  })
}

/** HTML within text. */
export function html(value: string): PhrasingContent {
  return { type: 'html', value }
}

function footnote(number: number): PhrasingContent {
  return { type: 'footnoteReference', identifier: String(number), label: String(number) }
}

function marked({ mark }: MarkedGroup, children: PhrasingContent[]): PhrasingContent[] {
  if (mark.type === 'bold') return [{ type: 'strong', children }]
  if (mark.type === 'italic') return [{ type: 'emphasis', children }]
  if (mark.type === 'strikethrough') return [{ type: 'delete', children }]
  return [html(openMark(mark)), ...children, html(`</${tagOfMark(mark)}>`)]
}

function inlineNodes(node: DocumentInline, context: WriteContext, breaks: 'markdown' | 'html'): PhrasingContent[] {
  const data = (node.data ?? {}) as Record<string, string>
  const ref = () => context.target(node.data?.['ref'] as DocumentRef)
  switch (node.type) {
    case 'link':
      // No link stands in a link of Markdown.
      if (node.nodes?.some(isLink))
        return [html(openLink(node, context)), ...toPhrasing(node.nodes, context, breaks), html('</a>')]
      return [
        {
          type: 'link',
          url: ref(),
          title: data['title'] ?? null,
          children: toPhrasing(node.nodes ?? [], context, breaks),
        },
      ]
    case 'mention':
      return [{ type: 'link', url: ref(), title: 'mention', children: [{ type: 'text', value: ref() }] }]
    case 'emoji': {
      const code = data['code'] ?? ''
      const name = emojiName(code)
      const value = emojiFromCodePoints(code) ?? ''
      return [name ? { type: 'emoji', name, value } : html(emojiHtml(code))]
    }
    case 'icon':
      return [html(iconHtml(data['icon'] ?? ''))]
    case 'expression':
      return [html('<code class="expression">'), { type: 'text', value: data['expression'] ?? '' }, html('</code>')]
    case 'inline-math':
      return writeFormula(data['formula'] ?? '', breaks)
    case 'inline-image':
      return [html(inlineImageHtml(node, context))]
    case 'button':
      return [html(openButton(node, context)), { type: 'text', value: data['label'] ?? '' }, html('</a>')]
    case 'annotation':
      return [html(openFootnote(node, context)), ...toPhrasing(node.nodes ?? [], context, breaks), html('</a>')]
    default:
      return toPhrasing(node.nodes ?? [], context, breaks)
  }
}

function isLink(node: DocumentNode): boolean {
  return node.object === 'inline' && ['link', 'mention', 'button', 'annotation'].includes(node.type)
}

/**
 * Writes a formula between dollars, or in `<span class="math">`: between dollars it loses the blanks at its edges, and ends at a line or a
 * bar of a table. Within the element it is text, of which Markdown reads no character as its own.
 */
function writeFormula(formula: string, breaks: 'markdown' | 'html'): PhrasingContent[] {
  const isPlain = formula !== '' && formula.trim() === formula && !/\n|\$/.test(formula)
  if (isPlain && !(breaks === 'html' && formula.includes('|'))) return [{ type: 'inlineMath', value: formula }]
  const lines = formula.split('\n').map((value): PhrasingContent => ({ type: 'text', value }))
  const text = lines.flatMap((line, at) => (at === 0 ? [line] : [html('&#10;'), line]))
  return [html('<span class="math">'), ...text, html('</span>')]
}
