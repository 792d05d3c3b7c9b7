import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { markdownBounds } from './bounds.ts'

/** A node of parsed HTML. */
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
/** An element of parsed HTML. */
export type HtmlElement = DefaultTreeAdapterTypes.Element

const withoutEnd = new Set(
  'area base br col embed hr img input li link meta option p source td th tr track wbr'.split(' '),
)

/** Parses a piece of HTML; undefined when its elements are nested too deep. */
export function parseHtml(source: string): HtmlNode[] | undefined {
  if (isNestedTooDeep(source)) return undefined
  return parseFragment(source, { sourceCodeLocationInfo: true }).childNodes
}

/** Counts, for each name, start tags less end tags: not less than what a parser nests, but for elements that it makes up. */
function isNestedTooDeep(source: string): boolean {
  const open = new Map<string, number>()
  let total = 0
  for (const [, slash, tag = ''] of source.matchAll(/<(\/?)([a-zA-Z][^\s/>]*)/g)) {
    const name = tag.toLowerCase()
    if (withoutEnd.has(name)) continue
    const count = open.get(name) ?? 0
    if (slash && count === 0) continue
    open.set(name, count + (slash ? -1 : 1))
    total += slash ? -1 : 1
    if (total > markdownBounds.depth * 4) return true
  }
  return false
}

/** Tells an element from text and comments. */
export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node
}

/** The value of an attribute as it was written, without quotes; undefined when the element has none. */
export function writtenAttribute(element: HtmlElement, name: string, source: string): string | undefined {
  const decoded = element.attrs.find(attribute => attribute.name === name)?.value
  const place = element.sourceCodeLocation?.attrs?.[name]
  if (decoded === undefined || !place) return decoded
  const sourceText = source.slice(place.startOffset, place.endOffset)
  const value = sourceText.slice(sourceText.indexOf('=') + 1).trim()
  if (!sourceText.includes('=')) return decoded
  return /^["']/.test(value) ? value.slice(1, -1) : value
}

/** The value of an attribute with its character references decoded. */
export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find(({ name: other }) => other === name)?.value
}

const blocks = new Set(
  'address article blockquote br dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table td th tr ul'.split(
    ' ',
  ),
)
const silent = new Set(['script', 'style', 'template'])

/** The words of parsed HTML, with the alternative texts of images; blocks are on lines of their own. */
export function htmlText(nodes: readonly HtmlNode[]): string {
  let text = ''
  for (const node of nodes) {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value
    if (!isElement(node) || silent.has(node.tagName)) continue
    if (node.tagName === 'img') text += ` ${attribute(node, 'alt') ?? ''} `
    const inside = htmlText(node.childNodes)
    text += blocks.has(node.tagName) ? `\n${inside}\n` : inside
  }
  return text
}
