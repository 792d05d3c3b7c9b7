import type { PhrasingContent } from 'mdast'
import { emojiCharacters, emojiName } from '../document/emoji.ts'
import { isRaw } from '../document/marks.ts'
import { trimmed } from '../document/html-flow.ts'
import type { DocumentInline, DocumentNode, DocumentRef } from '../document/schema.ts'
import { iconHtml, inlineImageHtml, openButton, openMark, type WriteContext } from './inline-html.ts'
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
  return noteWords(groupPieces(trimmed(structuredClone(nodes) as DocumentNode[])).flatMap(write))
}

declare module 'mdast' {
  interface EmphasisData {
    /** A letter or a digit stands before or after it. */
    isWithinWord?: boolean
  }
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
      const value = emojiCharacters(code) ?? ''
      return [name ? { type: 'emoji', name, value } : { type: 'text', value }]
    }
    case 'icon':
      return [html(iconHtml(data['icon'] ?? ''))]
    case 'expression':
      return [html('<code class="expression">'), { type: 'text', value: data['expression'] ?? '' }, html('</code>')]
    case 'inline-math':
      return [{ type: 'inlineMath', value: data['formula'] ?? '' }]
    case 'inline-image':
      return [html(inlineImageHtml(node, context))]
    case 'button':
      return [html(openButton(node, context)), { type: 'text', value: data['label'] ?? '' }, html('</a>')]
    default:
      return toPhrasing(node.nodes ?? [], context, breaks)
  }
}
