import { codeText } from './blocks.ts'
import { isRaw } from '../document/marks.ts'
import { codeBlock } from '../document/nodes.ts'
import type { DocumentBlock, DocumentNode, JSONDocument } from '../document/schema.ts'

/** A value of an attribute that names a target, or the destination of a link. */
const targetPattern = /(\b(?:src|srcset|href|url)=)(["'])([^"'\n]*)\2|(\]\()([^()\s<>]+)/g

/** The targets within Markdown that was not understood. */
export function rawTargetsIn(source: string): { target: string; kind: 'link' | 'file' }[] {
  return [...source.matchAll(targetPattern)].map(([, , , value, , destination]) =>
    destination === undefined
      ? { target: value ?? '', kind: 'file' as const }
      : { target: destination, kind: 'link' as const },
  )
}

/** A copy of a document in which the targets within what was not understood are what `target` makes of them; undefined leaves one as it is. */
export function withRawTargets(
  document: JSONDocument,
  target: (target: string, kind: 'link' | 'file') => string | undefined,
): JSONDocument {
  const replaced = (source: string) =>
    source.replaceAll(targetPattern, (whole, ...groups: (string | undefined)[]) => {
      const [name = '', quote = '', value = '', open = '', destination = ''] = groups
      if (open !== '') return `${open}${target(destination, 'link') ?? destination}`
      const url = target(value, 'file')
      return url === undefined ? whole : `${name}${quote}${url}${quote}`
    })
  const copy = <Node extends DocumentNode>(node: Node): Node => {
    if (node.object === 'text')
      return {
        ...node,
        leaves: node.leaves.map(leaf => (isRaw(leaf.marks) ? { ...leaf, text: replaced(leaf.text) } : leaf)),
      }
    if (node.type === 'code') return rawCode(node as DocumentBlock, replaced) as Node
    const { nodes, fragments } = node
    return {
      ...node,
      ...(nodes && { nodes: nodes.map(copy) }),
      ...(fragments && { fragments: fragments.map(part => ({ ...part, nodes: part.nodes.map(copy) })) }),
    }
  }
  return { ...document, nodes: document.nodes.map(copy) }
}

function rawCode(node: DocumentBlock, replaced: (source: string) => string): DocumentBlock {
  if (node.data?.['raw'] !== true) return node
  const source = codeText(node)
  const text = replaced(source)
  return text === source ? node : { ...node, nodes: codeBlock(text, {}).nodes }
}
