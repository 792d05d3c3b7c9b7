import type { Blockquote, Heading, Html, List, ListItem, Paragraph } from 'mdast'
import { plainText } from '../outline/read-outline.ts'
import { pairContainers, type BlockNode, type ContainerNode } from './containers.ts'
import type { ReadContext } from './context.ts'
import { hasOnly, pairElements, type ElementNode, type InlineNode } from './elements.ts'
import { expandable, readHtmlBlocks, readSummary } from './html-blocks.ts'
import { trimmed } from './html-flow.ts'
import { readImage, readInlines } from './inlines.ts'
import { block, codeBlock, fragment, rawBlock, textNode, unformattedText } from './nodes.ts'
import { readPipeTable } from './pipe-tables.ts'
import type { DocumentBlock, DocumentNode } from './schema.ts'
import { layoutTags, readTargetTag, readVoidTag } from './tags.ts'

/** Reads blocks; tags are paired first. */
export function readBlocks(nodes: readonly BlockNode[], context: ReadContext): DocumentBlock[] {
  return pairContainers(nodes).flatMap(node => readBlock(node, context))
}

function readBlock(node: BlockNode, context: ReadContext): DocumentBlock[] {
  switch (node.type) {
    case 'paragraph':
      return [readParagraph(node, context)]
    case 'heading':
      return [readHeading(node, context)]
    case 'list':
      return [readList(node, context)]
    case 'blockquote':
      return [block('blockquote', { nodes: context.readBlocks((node as Blockquote).children) })]
    case 'thematicBreak':
      return [block('divider')]
    case 'code': {
      const syntax = [node.lang, node.meta].filter(Boolean).join(' ')
      return [codeBlock(node.value, { syntax: syntax || undefined })]
    }
    case 'math':
      return [block('math', { data: { formula: node.value, info: node.meta ?? undefined } })]
    case 'table':
      return [readPipeTable(node, context)]
    case 'html':
      return readHtmlBlocks(node.value, context) ?? [rawBlock(node.value)]
    case 'tag':
      return [readVoidTag(node, context) ?? rawBlock(node.source)]
    case 'container':
      return readContainer(node, context)
    case 'definition':
      return context.isUsed(node) ? [] : [rawBlock(context.sourceOf([node]))]
    case 'footnoteDefinition':
      return context.isUsed(node) ? [] : [rawBlock(context.sourceOf([node]))]
    default:
      return [rawBlock(context.sourceOf([node]))]
  }
}

function readParagraph(node: Paragraph, context: ReadContext): DocumentBlock {
  const [only, ...more] = node.children
  if (only?.type === 'inlineMath' && more.length === 0) return block('math', { data: { formula: only.value.trim() } })
  const isImage =
    only?.type === 'image' || (only?.type === 'imageReference' && context.definitions.has(only.identifier))
  if (isImage && more.length === 0) {
    const { caption, ...data } = readImage(only, context).data ?? {}
    const paragraphs = typeof caption === 'string' ? [block('paragraph', { nodes: [textNode(caption)] })] : []
    const fragments = paragraphs.length > 0 ? [fragment('caption', paragraphs)] : []
    return block('images', { nodes: [block('image', { data, fragments })] })
  }
  return block('paragraph', { nodes: orEmpty(withoutBlank(readText(node.children, context))) })
}

/** Text in which blanks at an edge were left by tags of HTML; those that the parser left there are written as such. */
function readText(children: Paragraph['children'], context: ReadContext): DocumentNode[] {
  const nodes = readInlines(children, context)
  const isTag = (node: Paragraph['children'][number] | undefined) =>
    node?.type === 'html' && !/^<br\b/i.test(node.value)
  const edges = { start: isTag(children[0]), end: isTag(children.at(-1)) }
  return trimmed(nodes, edges)
}

/** A blank that is all there is stands for a paragraph without text. */
function withoutBlank(nodes: DocumentNode[]): DocumentNode[] {
  const [only, ...more] = nodes
  const [leaf, ...leaves] = only?.object === 'text' && more.length === 0 ? only.leaves : []
  return leaf && leaves.length === 0 && leaf.marks.length === 0 && leaf.text.trim() === '' ? [] : nodes
}

function orEmpty(nodes: DocumentNode[]): DocumentNode[] {
  return nodes.length > 0 ? nodes : [textNode('')]
}

function readHeading(node: Heading, context: ReadContext): DocumentBlock {
  const { depth } = node
  const level = depth <= 2 ? 1 : depth === 3 ? 2 : 3
  const paired = pairElements(node.children)
  const anchor = paired.find(isAnchor)
  const id = context.headingIds.get(node.position?.start.offset) ?? context.anchors.slug(plainText(node))
  const anchorName = anchor?.attributes['id'] ?? anchor?.attributes['name']
  const nodes = trimmed(
    readInlines(
      paired.filter(child => child !== anchor),
      context,
    ),
  )
  return block(`heading-${level}`, {
    data: { id: anchorName, align: node.data?.align, level: depth >= 2 && depth <= 4 ? undefined : depth },
    nodes: orEmpty(nodes),
    id,
  })
}

function isAnchor(node: InlineNode): node is ElementNode {
  if (node.type !== 'element' || node.tag !== 'a' || node.children.length > 0) return false
  const { id, name = id, href = `#${id}` } = node.attributes
  return Boolean(name) && hasOnly(node, 'href', 'id', 'name') && href === `#${id ?? name}` && (id ?? name) === name
}

function readList(list: List, context: ReadContext): DocumentBlock {
  const nodes = list.children.map((item: ListItem) =>
    block('list-item', { data: { checked: item.checked ?? undefined }, nodes: readItem(item, context) }),
  )
  if (list.ordered) return block('list-ordered', { data: { start: list.start ?? 1 }, nodes })
  const hasTasks = list.children.some(({ checked }) => typeof checked === 'boolean')
  return block(hasTasks ? 'list-tasks' : 'list-unordered', { nodes })
}

/** Reads a list item. The empty paragraph that Markdown needs after a checkbox without text is dropped. */
function readItem({ checked, children }: ListItem, context: ReadContext): DocumentBlock[] {
  const nodes = context.readBlocks(children)
  const isBoxOnly =
    typeof checked === 'boolean' && nodes[0]?.type === 'paragraph' && unformattedText(nodes.slice(0, 1)) === ''
  return isBoxOnly && nodes[0]?.nodes?.every(({ object }) => object === 'text') ? nodes.slice(1) : nodes
}

/** A container that is not understood keeps its tags as they were written, around what is in it. */
function readContainer(container: ContainerNode, context: ReadContext): DocumentBlock[] {
  const read = container.isHtml ? readHtmlContainer(container, context) : readTagContainer(container, context)
  if (read) return [read]
  const [open, ...inside] = [container.open, ...container.children]
  return [rawOf(open), ...context.readBlocks(inside), rawOf(container.close)]
}

function rawOf(node: ContainerNode['open']): DocumentBlock {
  return rawBlock(node.type === 'tag' ? node.source : node.value)
}

function readTagContainer(container: ContainerNode, context: ReadContext): DocumentBlock | undefined {
  if (['tab', 'step', 'column', 'update'].includes(container.name)) return undefined
  return readTargetTag(container, context) ?? layoutTags[container.name]?.(container, context)
}

/**
 * Reads `<details>` as an expandable, and other HTML whose parts are all HTML when they form one block of images. Returns undefined for
 * everything else, whose tags are kept as they are.
 */
function readHtmlContainer(container: ContainerNode, context: ReadContext): DocumentBlock | undefined {
  const [first, ...body] = container.children
  if (container.name === '<details>') {
    if (Object.keys(container.attributes).length > 0 || first?.type !== 'html') return undefined
    const title = readSummary(first.value, context)
    return title && expandable(title, context.readBlocks(body), context)
  }
  const parts = container.children.every(child => child.type === 'html') ? (container.children as Html[]) : []
  const inside = parts.map(({ value }) => value).join('\n')
  const source = `${(container.open as Html).value}${inside}${(container.close as Html).value}`
  const [images, ...more] = parts.length > 0 ? (readHtmlBlocks(source, context) ?? []) : []
  return images?.type === 'images' && more.length === 0 ? images : undefined
}
