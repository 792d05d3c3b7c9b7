import type { DefaultTreeAdapterTypes } from 'parse5'
import type { PhrasingContent } from 'mdast'
import { readTagParts } from '../syntax/attributes.ts'
import { isElement, writtenAttribute, type HtmlNode } from '../syntax/html.ts'

/** An element of HTML with what is in it; attributes are as they were written. */
export interface ElementNode {
  type: 'element'
  tag: string
  attributes: Record<string, string>
  children: InlineNode[]
  /** Its tags as they were written, for when it is not understood. */
  open: string
  close: string
}

/** Source within text that is not understood and stays as it is. */
export interface RawNode {
  type: 'raw'
  value: string
}

/** A node of text: one of Markdown's, with HTML's elements in place of tags. */
export type InlineNode = PhrasingContent | ElementNode | RawNode

const voidTags = new Set(['img', 'br', 'source', 'hr', 'input', 'wbr'])
const tag = /^<(\/?)([a-zA-Z][\w-]*)([^]*?)\/?>$/

/** Pairs the tags of HTML within one level of text; a tag without partner is raw. */
export function pairElements(nodes: readonly PhrasingContent[]): InlineNode[] {
  const root: ElementNode = element({ tag: '', rest: '', source: '' })
  const stack = [root]
  const top = () => stack.at(-1) ?? root
  const dissolve = () => {
    const unclosed = stack.pop()
    if (unclosed) top().children.push({ type: 'raw', value: unclosed.open }, ...unclosed.children)
  }
  for (const node of nodes) {
    const [source = '', slash, tagName = '', rest = ''] = (node.type === 'html' && tag.exec(node.value)) || []
    const name = tagName.toLowerCase()
    if (node.type !== 'html') top().children.push(node)
    else if (source === '') top().children.push({ type: 'raw', value: node.value })
    else if (voidTags.has(name) && !slash) top().children.push(element({ tag: name, rest, source }))
    else if (!slash) stack.push(element({ tag: name, rest, source }))
    else if (!stack.some(open => open.tag === name)) top().children.push({ type: 'raw', value: node.value })
    else {
      while (top().tag !== name) dissolve()
      const closed = stack.pop()
      if (closed) top().children.push({ ...closed, close: source })
    }
  }
  while (stack.length > 1) dissolve()
  return root.children
}

function element({ tag, rest, source }: { tag: string; rest: string; source: string }): ElementNode {
  const { attributes } = readTagParts(`${tag} ${rest}`)
  return { type: 'element', tag, attributes, children: [], open: source, close: '' }
}

/** The nodes of parsed HTML; line breaks of the source are blanks, but for those of `<pre>`. */
export function htmlInlines(nodes: readonly HtmlNode[], source: string, isLined = false): InlineNode[] {
  return nodes.map((node): InlineNode => {
    const place = node.sourceCodeLocation
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode
      return { type: 'text', value: isLined ? value : value.replace(/\s*\n\s*/g, ' ') }
    }
    const sourceText = place ? source.slice(place.startOffset, place.endOffset) : ''
    if (!isElement(node)) return { type: 'raw', value: sourceText }
    const tags = node.sourceCodeLocation
    return {
      type: 'element',
      tag: node.tagName,
      attributes: Object.fromEntries(
        node.attrs.map(({ name, value }) => [name, writtenAttribute(node, name, source) ?? value]),
      ),
      children: htmlInlines(node.childNodes, source, isLined || node.tagName === 'pre'),
      open: tags?.startTag ? source.slice(tags.startTag.startOffset, tags.startTag.endOffset) : sourceText,
      close: tags?.endTag ? source.slice(tags.endTag.startOffset, tags.endTag.endOffset) : '',
    }
  })
}

/** Tells whether an element has no attributes but these. */
export function hasOnly({ attributes }: ElementNode, ...names: string[]): boolean {
  return Object.keys(attributes).every(name => names.includes(name))
}

/** The words of nodes without format. */
export function wordsOf(nodes: readonly InlineNode[]): string {
  return nodes
    .map(node => {
      if (node.type === 'raw') return ''
      if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
      if (node.type === 'element' && node.tag === 'br') return ' '
      if (node.type === 'break') return ' '
      if ('children' in node) return wordsOf(node.children)
      return 'value' in node ? node.value : ''
    })
    .join('')
}
