import { codeText } from './blocks.ts'
import { isRaw } from '../document/marks.ts'
import { codeBlock, emptyParagraph } from '../document/nodes.ts'
import type { DocumentBlock, DocumentNode, JSONDocument } from '../document/schema.ts'

/**
 * A copy of a document without the comments of HTML, which stand in what was not understood: they are for those who write a page. A comment
 * within code is code.
 */
export function withoutComments(document: JSONDocument): JSONDocument {
  return { ...document, nodes: copyAll(document.nodes) }
}

function copyAll<Node extends DocumentNode>(nodes: readonly Node[]): Node[] {
  return nodes.flatMap(node => copy(node) ?? [])
}

/** A node without comments; undefined for a block that is nothing but comments. */
function copy<Node extends DocumentNode>(node: Node): Node | undefined {
  if (node.object === 'text') {
    const leaves = node.leaves.map(leaf =>
      isRaw(leaf.marks) ? { ...leaf, text: textWithoutComments(leaf.text) } : leaf,
    )
    return { ...node, leaves }
  }
  if (node.object === 'block' && node.type === 'code') return rawCode(node) as Node | undefined
  const { nodes, fragments } = node
  return {
    ...node,
    ...(nodes && { nodes: copyAll(nodes) }),
    ...(fragments && { fragments: fragments.map(part => ({ ...part, nodes: filled(copyAll(part.nodes)) })) }),
  }
}

/** The nodes of a fragment, which is never empty. */
function filled(nodes: DocumentBlock[]): DocumentBlock[] {
  return nodes.length > 0 ? nodes : [emptyParagraph()]
}

function rawCode(node: DocumentBlock): DocumentBlock | undefined {
  if (node.data?.['raw'] !== true) return node
  const source = codeText(node)
  const text = textWithoutComments(source)
  if (text === source) return node
  return text.trim() === '' ? undefined : { ...node, nodes: codeBlock(text, {}).nodes ?? [] }
}

const start = '<!--'
const end = '-->'

/** Source without comments, of which `<!-->` and `<!--->` are whole. One without an end goes on to the end of the block that it starts. */
function textWithoutComments(source: string): string {
  let text = ''
  let at = 0
  for (;;) {
    const from = source.indexOf(start, at)
    const to = from < 0 ? -1 : source.indexOf(end, from + 2)
    if (to < 0) return from >= 0 && `${text}${source.slice(at, from)}`.trim() === '' ? '' : text + source.slice(at)
    text += source.slice(at, from)
    at = to + end.length
  }
}
