import type { ReadContext } from './context.ts'
import { hasOnly, type ElementNode, type InlineNode } from './elements.ts'
import { readInlines } from './inlines.ts'
import { block, textNode } from './nodes.ts'
import type { DocumentBlock, DocumentNode } from './schema.ts'

/** White space between elements. */
export function isBlank(node: InlineNode): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

const aligns: Record<string, string> = { left: 'start', start: 'start', center: 'center', right: 'end', end: 'end' }

/** Reads paragraphs and lists, and text between them as paragraphs; undefined when an attribute is not understood. */
export function readFlow(nodes: readonly InlineNode[], context: ReadContext): DocumentBlock[] | undefined {
  const blocks: (DocumentBlock | undefined)[] = []
  let text: InlineNode[] = []
  const flush = () => {
    const inlines = trimmed(readInlines(text, context))
    if (inlines.length > 0) blocks.push(block('paragraph', { nodes: inlines }))
    text = []
  }
  for (const node of nodes) {
    const isBlock = node.type === 'element' && ['p', 'ul', 'ol'].includes(node.tag)
    if (!isBlock) text.push(node)
    else {
      flush()
      blocks.push(node.tag === 'p' ? readHtmlParagraph(node, context) : readList(node, context))
    }
  }
  flush()
  return blocks.every(documentBlock => documentBlock !== undefined)
    ? blocks.filter(documentBlock => !isEmpty(documentBlock))
    : undefined
}

function isEmpty({ type, nodes, data }: DocumentBlock): boolean {
  return (
    type === 'paragraph' &&
    data?.['align'] === undefined &&
    nodes?.every(node => node.object === 'text' && node.leaves.every(({ text }) => text === '')) === true
  )
}

/** Reads a `<p>` element; undefined when it has an attribute other than an `align` that is understood. */
function readHtmlParagraph(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const { align } = element.attributes
  if (!hasOnly(element, 'align') || (align !== undefined && !aligns[align])) return undefined
  const nodes = trimmed(readInlines(element.children, context))
  const data = { align: align && aligns[align] }
  return block('paragraph', { data, nodes: nodes.length > 0 ? nodes : [textNode('')] })
}

function readList(element: ElementNode, context: ReadContext): DocumentBlock | undefined {
  const isOrdered = element.tag === 'ol'
  const items: DocumentBlock[] = []
  if (!hasOnly(element)) return undefined
  for (const child of element.children) {
    if (isBlank(child)) continue
    const nodes =
      child.type === 'element' && child.tag === 'li' && hasOnly(child) ? readFlow(child.children, context) : undefined
    if (!nodes) return undefined
    items.push(block('list-item', { nodes }))
  }
  return block(isOrdered ? 'list-ordered' : 'list-unordered', {
    data: isOrdered ? { start: 1 } : {},
    nodes: items,
  })
}

/** Removes blanks and line breaks at both ends; with `edges`, at those alone, and none of a format. */
export function trimmed(nodes: DocumentNode[], edges?: { start: boolean; end: boolean }): DocumentNode[] {
  const edge = (node: DocumentNode | undefined, pattern: RegExp, at: 0 | -1) => {
    const leaf = node?.object === 'text' ? node.leaves.at(at) : undefined
    if (edges && leaf?.marks.length) return false
    if (!leaf || leaf.marks.some(({ type }) => type === 'code') || !pattern.test(leaf.text)) return false
    leaf.text = leaf.text.replace(pattern, '')
    if (leaf.text === '' && node?.object === 'text') node.leaves.splice(at, 1)
    return leaf.text === ''
  }
  const drop = (at: 0 | -1) => {
    const node = nodes.at(at)
    if (node?.object === 'text' && node.leaves.length === 0) nodes.splice(at, 1)
  }
  while (edges?.start !== false && edge(nodes[0], /^[ \t\n]+/, 0)) drop(0)
  while (edges?.end !== false && edge(nodes.at(-1), /[ \t\n]+$/, -1)) drop(-1)
  return nodes
}
