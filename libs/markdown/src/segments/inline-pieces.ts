import type { Image, ImageReference, Nodes, PhrasingContent } from 'mdast'
import { plainText } from '../outline/read-outline.ts'
import { elementsOf } from '../outline/references.ts'
import { attributeSegments, htmlSource, isOwnTarget } from './html-segments.ts'
import { hasWords, segmentOf, type Piece, type Segment, type Span } from './model.ts'
import { rawPieces } from './raw-text.ts'

/** Elements of HTML within text whose content is no text of a language. */
const opaqueTags = new Set(['code', 'kbd', 'math', 'pre', 'samp', 'script', 'style', 'svg', 'var'])

/** Collects the segments within inline content, such as alternative texts of images. */
export interface InlineReader {
  source: string
  segments: Segment[]
}

/** Where a node stands in its page. */
export /** Returns the start and end offsets of a node in its page; both are 0 for a node without a position. */
function offsetsOf({ position }: Nodes): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** The pieces of inline content. */
export function inlinePieces(nodes: readonly PhrasingContent[], reader: InlineReader): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as PhrasingContent
    const end = node.type === 'html' ? endOfElement(nodes, at) : undefined
    if (end === undefined) pieces.push(...piecesOf(node, reader))
    else {
      pieces.push(elementPiece(nodes.slice(at, end + 1), reader))
      at = end
    }
  }
  return pieces
}

function piecesOf(node: PhrasingContent, reader: InlineReader): Piece[] {
  const span = offsetsOf(node)
  if (node.type === 'text') return rawPieces(reader.source, span, 'markdown')
  if (node.type === 'image' || isNamedReference(node)) reader.segments.push(...imageSegments(node, reader.source))
  if (node.type === 'html') readAttributes(span, node.value, reader)
  if (!('children' in node)) return [{ type: 'object', ...span }]
  return [wrapped(node, node.children as PhrasingContent[], reader)]
}

/** Marks and links are pairs, but for links whose text says their target, or is what they are found by. */
function wrapped(node: PhrasingContent, children: PhrasingContent[], reader: InlineReader): Piece {
  const span = offsetsOf(node)
  const first = children[0]
  const last = children.at(-1)
  const pieces = inlinePieces(children, reader)
  const isTarget =
    (node.type === 'link' &&
      (!isWritten(span, reader) || isOwnTarget(plainText(node), node.data?.target ?? node.url))) ||
    (node.type === 'linkReference' && node.referenceType !== 'full')
  if (!first || !last || isTarget || !hasWords(reader.source, pieces)) return { type: 'object', ...span }
  const open = { start: span.start, end: offsetsOf(first).start }
  const close = { start: offsetsOf(last).end, end: span.end }
  return { type: 'pair', ...span, open, close, children: pieces }
}

/** Whether a link has brackets around its text; one without is an address. */
function isWritten({ start }: Span, { source }: InlineReader): boolean {
  return source[start] === '['
}

/** The index of the end tag that belongs to a start tag, among the same nodes. */
function endOfElement(nodes: readonly PhrasingContent[], from: number): number | undefined {
  const name = tagOf(nodes[from])
  if (name === undefined || name.startsWith('/')) return undefined
  let depth = 0
  for (let at = from; at < nodes.length; at += 1) {
    const tag = tagOf(nodes[at])
    if (tag === name) depth += 1
    else if (tag === `/${name}` && --depth === 0) return at
  }
  return undefined
}

/** The name of a tag of HTML, with a slash before it for an end tag. */
function tagOf(node: PhrasingContent | undefined): string | undefined {
  const [, slash, name] = (node?.type === 'html' && /^<(\/?)([a-zA-Z][\w-]*)/.exec(node.value)) || []
  return name === undefined ? undefined : `${slash}${name.toLowerCase()}`
}

function elementPiece(nodes: readonly PhrasingContent[], reader: InlineReader): Piece {
  const first = nodes[0] as PhrasingContent
  const last = nodes.at(-1) as PhrasingContent
  const open = offsetsOf(first)
  const close = offsetsOf(last)
  const span = { start: open.start, end: close.end }
  const children = inlinePieces(nodes.slice(1, -1), reader)
  const sourceText = reader.source.slice(open.start, open.end)
  const isOpaque = opaqueTags.has(tagOf(first) ?? '') || isOwnLink(sourceText, nodes.slice(1, -1))
  if (isOpaque || !hasWords(reader.source, children)) return { type: 'object', ...span }
  return { type: 'pair', ...span, open, close, children }
}

function isOwnLink(tag: string, children: readonly PhrasingContent[]): boolean {
  const target = /\bhref\s*=\s*["']([^"']*)["']/.exec(tag)?.[1]
  return target !== undefined && isOwnTarget(children.map(plainText).join(''), target)
}

function readAttributes(span: Span, value: string, { source, segments }: InlineReader): void {
  const html = value.startsWith('<img') ? htmlSource(source, value, span) : undefined
  if (html) for (const element of elementsOf(html.nodes)) segments.push(...attributeSegments(element, html))
}

/** Whether an image names its definition besides its alternative text, which is free to change then. */
function isNamedReference(node: Nodes): node is ImageReference {
  return node.type === 'imageReference' && node.referenceType === 'full'
}

/** The alternative text of an image, and its title, which is its caption, where they are written as plain text. */
function imageSegments(node: Image | ImageReference, source: string): Segment[] {
  const { start, end } = offsetsOf(node)
  const sourceText = source.slice(start, end)
  const part = (from: number, text: string) => {
    const span = { start: start + from, end: start + from + text.length }
    return segmentOf(source, 'markdown', rawPieces(source, span, 'markdown')) ?? []
  }
  const { alt } = node
  const title = node.type === 'image' ? node.title : undefined
  const hasAlt = alt && sourceText.startsWith(`![${alt}]${node.type === 'image' ? '(' : '['}`)
  const hasTitle = title && sourceText.endsWith(`"${title}")`)
  return [hasAlt ? part(2, alt) : [], hasTitle ? part(sourceText.length - title.length - 2, title) : []].flat()
}
