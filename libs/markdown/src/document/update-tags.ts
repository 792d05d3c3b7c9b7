import type { DocumentBlock, DocumentNode, JSONDocument } from './schema.ts'

/** The slugs of the tags that the updates of a document have. */
export function tagsOfUpdates({ nodes }: Pick<JSONDocument, 'nodes'>): Set<string> {
  const slugs = new Set<string>()
  const pending: DocumentNode[] = [...nodes]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.object === 'text') continue
    for (const { tag } of tagsOf(node)) slugs.add(tag)
    pending.push(...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(part => part.nodes))
  }
  return slugs
}

/** A copy of a document for those who read it without its space: the tags of its updates are called by their labels. */
export function withTagLabels(document: JSONDocument, labels: ReadonlyMap<string, string>): JSONDocument {
  const isLabeled = [...tagsOfUpdates(document)].some(slug => labels.has(slug))
  return isLabeled ? { ...document, nodes: document.nodes.map(node => labeled(node, labels)) } : document
}

function labeled<Node extends DocumentNode>(node: Node, labels: ReadonlyMap<string, string>): Node {
  if (node.object === 'text') return node
  const tags = tagsOf(node).map(ref => ({ ...ref, tag: labels.get(ref.tag) ?? ref.tag }))
  return {
    ...node,
    ...(tags.length > 0 && { data: { ...node.data, tags } }),
    ...(node.nodes && { nodes: node.nodes.map(child => labeled(child, labels)) }),
    ...(node.fragments && {
      fragments: node.fragments.map(part => ({ ...part, nodes: part.nodes.map(child => labeled(child, labels)) })),
    }),
  }
}

function tagsOf(node: Exclude<DocumentNode, { object: 'text' }>): { kind: 'tag'; tag: string }[] {
  const tags = node.object === 'block' && node.type === 'update' ? (node as DocumentBlock).data?.['tags'] : undefined
  return Array.isArray(tags) ? (tags as { kind: 'tag'; tag: string }[]) : []
}
