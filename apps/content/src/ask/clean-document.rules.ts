import type { BlockType, DocumentNode, InlineType, JSONDocument } from '@recto/markdown/schema'

/** Blocks that stay: text alone. All others show something from elsewhere, run something, or hide text. */
const textBlocks: readonly BlockType[] = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'list-item',
  'divider',
  'blockquote',
  'hint',
  'code',
  'code-line',
  'math',
]
const textInlines: readonly InlineType[] = ['emoji', 'inline-math']

/**
 * A document that an engine has written, with its text alone: a link, a picture or an embed could send what was read to anywhere. The words
 * of links stay.
 */
export function cleanDocument(document: JSONDocument): JSONDocument {
  return { ...document, nodes: cleanNodes(document.nodes) }
}

function cleanNodes<Node extends DocumentNode>(nodes: readonly Node[]): Node[] {
  return nodes.flatMap(node => {
    if (node.object === 'text') return [plainText(node) as Node]
    const { nodes: inside, fragments: _fragments, ...rest } = node
    const stays = node.object === 'block' ? textBlocks.includes(node.type) : textInlines.includes(node.type)
    if (stays) return [{ ...withoutRaw(rest), ...(inside && { nodes: cleanNodes(inside) }) } as Node]
    return node.object === 'inline' && node.type === 'link' ? (cleanNodes(inside ?? []) as Node[]) : []
  })
}

type TextNode = Extract<DocumentNode, { object: 'text' }>

/** Text without colors, since text in the color of the page cannot be read, and without Markdown that is written as it is. */
function plainText(node: TextNode): TextNode {
  const leaves = node.leaves.map(leaf => ({
    ...leaf,
    marks: leaf.marks.flatMap(mark => (mark.type === 'color' ? [] : [withoutRaw(mark)])),
  }))
  return { ...node, leaves }
}

/** Markdown that was not understood becomes code, so that it stays text wherever it is written. */
function withoutRaw<Item extends object>(item: Item): Item {
  if (!('data' in item) || typeof item.data !== 'object' || item.data === null) return item
  const { raw: _raw, ...data } = item.data as { raw?: unknown }
  return { ...item, data }
}
