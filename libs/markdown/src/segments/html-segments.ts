import type { DefaultTreeAdapterTypes } from 'parse5'
import { attribute, isElement, parseHtml, type HtmlElement, type HtmlNode } from '../syntax/html.ts'
import { hasWords, segmentOf, type Piece, type Segment, type Span } from './model.ts'
import { rawPieces } from './raw-text.ts'

const inlineElements = new Set(
  'a abbr b bdi bdo br cite code del dfn em font i img ins kbd label mark picture q s samp small source span strong sub sup u var wbr'.split(
    ' ',
  ),
)
/** Elements whose text is no text of a language, or is not shown. */
const opaque = new Set(
  'code kbd math pre samp script select style svg template textarea title var video audio iframe object'.split(' '),
)

/** A piece of HTML in a page, and where each of its characters is in the page. */
export interface HtmlSource {
  source: string
  nodes: HtmlNode[]
  at(offset: number): number
}

/** HTML whose lines are in a page behind the markers of containers; undefined when they are not found there. */
export function htmlSource(source: string, value: string, { start, end }: Span): HtmlSource | undefined {
  const nodes = parseHtml(value)
  const lines = value.split('\n')
  const sourceLines = source.slice(start, end).split('\n')
  if (!nodes || lines.length !== sourceLines.length) return undefined
  const starts: { from: number; to: number }[] = []
  let from = 0
  let to = start
  for (const [index, line] of lines.entries()) {
    const whole = sourceLines[index] ?? ''
    if (!whole.endsWith(line)) return undefined
    starts.push({ from, to: to + whole.length - line.length })
    from += line.length + 1
    to += whole.length + 1
  }
  const at = (offset: number) => {
    const line = starts.findLast(candidate => candidate.from <= offset) ?? { from: 0, to: start }
    return line.to + offset - line.from
  }
  return { source, nodes, at }
}

/** The texts of HTML: runs of inline content, and alternative texts and captions of images. */
export function htmlSegments(html: HtmlSource, nodes: readonly HtmlNode[] = html.nodes): Segment[] {
  const segments: Segment[] = []
  let run: HtmlNode[] = []
  const flush = () => {
    const pieces = run.flatMap(node => inlinePieces(node, html, segments))
    const segment = segmentOf(html.source, 'html', pieces)
    if (segment) segments.push(segment)
    run = []
  }
  for (const node of nodes) {
    if (node.nodeName === '#text' || (isElement(node) && inlineElements.has(node.tagName))) {
      run.push(node)
      continue
    }
    flush()
    if (isElement(node) && !opaque.has(node.tagName)) segments.push(...htmlSegments(html, node.childNodes))
  }
  flush()
  return segments
}

/** The alternative text and the caption of an image, wherever it stands. */
export function attributeSegments(element: HtmlElement, { source, at }: HtmlSource): Segment[] {
  if (element.tagName !== 'img') return []
  return ['alt', 'title'].flatMap((name): Segment[] => {
    const place = element.sourceCodeLocation?.attrs?.[name]
    if (!place || !attribute(element, name)) return []
    const sourceText = source.slice(at(place.startOffset), at(place.endOffset))
    const [, before = '', value] = /^([^=]*=\s*)(?:"([^]*)"|'[^]*')$/.exec(sourceText) ?? []
    if (value === undefined) return []
    const start = at(place.startOffset) + before.length + 1
    const span = { start, end: start + value.length }
    const segment = segmentOf(source, 'attribute', rawPieces(source, span, 'attribute'))
    return segment ? [segment] : []
  })
}

function inlinePieces(node: HtmlNode, html: HtmlSource, segments: Segment[]): Piece[] {
  const place = node.sourceCodeLocation
  if (!place) return []
  const span = { start: html.at(place.startOffset), end: html.at(place.endOffset) }
  if (node.nodeName === '#text') return rawPieces(html.source, span, 'html')
  if (!isElement(node)) return [{ type: 'object', ...span }]
  segments.push(...attributeSegments(node, html))
  const { startTag, endTag } = place as DefaultTreeAdapterTypes.Element['sourceCodeLocation'] & object
  const isOption = attribute(node, 'data-option') !== undefined
  if (opaque.has(node.tagName) || isOption || !startTag || !endTag || isLinkToItself(node))
    return [{ type: 'object', ...span }]
  const children = node.childNodes.flatMap(child => inlinePieces(child, html, segments))
  if (!hasWords(html.source, children)) return [{ type: 'object', ...span }]
  const open = { start: span.start, end: html.at(startTag.endOffset) }
  return [{ type: 'pair', ...span, open, close: { start: html.at(endTag.startOffset), end: span.end }, children }]
}

function isLinkToItself(element: HtmlElement): boolean {
  const href = attribute(element, 'href')
  const [child, ...more] = element.childNodes
  if (href === undefined || child?.nodeName !== '#text' || more.length > 0) return false
  return isOwnTarget((child as DefaultTreeAdapterTypes.TextNode).value, href)
}

/** Whether the text of a link is nothing but what it leads to, or the name of that file. */
export function isOwnTarget(text: string, target: string): boolean {
  const words = text.trim()
  if (words === target || `mailto:${words}` === target || `http://${words}` === target) return true
  const [path = ''] = target.split(/[?#]/)
  return /^[^\s/]+\.\w+$/.test(words) && path.endsWith(`/${words}`)
}
