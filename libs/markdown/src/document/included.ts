import type { DocumentBlock, DocumentNode, JSONDocument } from './schema.ts'

/** A copy of a document in which each block that includes a reusable content is what `load` finds for its id; it stays where nothing is found. */
export async function withIncluded(
  document: JSONDocument,
  load: (reusableContent: string) => Promise<DocumentBlock[] | undefined>,
): Promise<JSONDocument> {
  const filled = async <Node extends DocumentNode>(nodes: Node[]): Promise<Node[]> => {
    const result: Node[] = []
    for (const node of nodes) {
      const id = includedId(node)
      const content = id === undefined ? undefined : await load(id)
      if (content) result.push(...(content as Node[]))
      else result.push(await withParts(node))
    }
    return result
  }
  const withParts = async <Node extends DocumentNode>(node: Node): Promise<Node> => {
    if (node.object === 'text') return node
    const fragments: typeof node.fragments = []
    for (const part of node.fragments ?? []) fragments.push({ ...part, nodes: await filled(part.nodes) })
    return {
      ...node,
      ...(node.nodes && { nodes: await filled(node.nodes) }),
      ...(node.fragments && { fragments }),
    }
  }
  return includes(document.nodes) ? { ...document, nodes: await filled(document.nodes) } : document
}

function includes(nodes: readonly DocumentNode[]): boolean {
  return nodes.some(
    node =>
      includedId(node) !== undefined ||
      (node.object !== 'text' &&
        (includes(node.nodes ?? []) || (node.fragments ?? []).some(part => includes(part.nodes)))),
  )
}

function includedId(node: DocumentNode): string | undefined {
  if (node.object !== 'block' || node.type !== 'reusable-content') return undefined
  const { ref } = (node.data ?? {}) as { ref?: { kind: string; reusableContent?: string } }
  return ref?.kind === 'reusable-content' ? ref.reusableContent : undefined
}
