import type { DocumentNode, DocumentRef, JSONDocument } from './schema.ts'

/** A copy of a document in which the words of dead links stay as text, and mentions without words of their own are left out. */
export function withoutLinks(document: JSONDocument, isDead: (ref: DocumentRef) => boolean): JSONDocument {
  const isDeadNode = (node: DocumentNode): boolean =>
    node.object === 'inline' &&
    (node.type === 'link' || node.type === 'mention') &&
    isDead(node.data?.['ref'] as DocumentRef)
  const copyAll = <Node extends DocumentNode>(nodes: readonly Node[]): Node[] =>
    nodes.flatMap(node => (isDeadNode(node) ? copyAll(wordsIn(node) as Node[]) : [copy(node)]))
  const copy = <Node extends DocumentNode>(node: Node): Node => {
    if (node.object === 'text') return node
    const { nodes, fragments } = node
    return {
      ...node,
      ...(nodes && { nodes: copyAll(nodes) }),
      ...(fragments && { fragments: fragments.map(part => ({ ...part, nodes: copyAll(part.nodes) })) }),
    }
  }
  return { ...document, nodes: copyAll(document.nodes) }
}

function wordsIn(node: DocumentNode): readonly DocumentNode[] {
  return node.object === 'text' ? [] : (node.nodes ?? [])
}
