import { createHash } from 'node:crypto'
import type { DocumentBlock, DocumentFragment, DocumentNode, JSONDocument } from './schema.ts'

type Keyed = DocumentNode | DocumentFragment

/**
 * Gives each node a key of its content and, among nodes of the same content, its place: it stays when others are edited. The name of a
 * cell says where in its table it stands, and is no content of it.
 */
export function addKeys(nodes: DocumentBlock[]): DocumentBlock[] {
  const seen = new Map<string, number>()
  return nodes.map(node => withKeys(hashed(node), seen) as DocumentBlock)
}

interface Hashed {
  node: Keyed
  hash: string
  nodes: Hashed[]
  fragments: Hashed[]
}

function hashed(node: Keyed): Hashed {
  const { nodes = [], fragments = [], ...own } = node as DocumentBlock
  const inside = nodes.map(hashed)
  const parts = fragments.map(hashed)
  const isCell = node.object === 'fragment' && node.type === 'table-cell'
  const said = isCell ? { object: node.object, type: node.type } : own
  const content = JSON.stringify([said, inside.map(({ hash }) => hash), parts.map(({ hash }) => hash)])
  return {
    node,
    hash: createHash('sha256').update(content).digest('base64url').slice(0, 16),
    nodes: inside,
    fragments: parts,
  }
}

function withKeys({ node, hash, nodes, fragments }: Hashed, seen: Map<string, number>): Keyed {
  const count = seen.get(hash) ?? 0
  seen.set(hash, count + 1)
  return {
    ...node,
    key: count === 0 ? hash : `${hash}-${count}`,
    ...('nodes' in node && { nodes: nodes.map(child => withKeys(child, seen)) }),
    ...('fragments' in node && { fragments: fragments.map(child => withKeys(child, seen)) }),
  } as Keyed
}

/** A copy of a document whose keys follow from a seed, too: the same for the same document and seed, and others for another seed. */
export function withSeed(document: JSONDocument, seed: string): JSONDocument {
  const rekeyed = <Node extends Keyed>(node: Node): Node => {
    const { nodes, fragments } = node as DocumentBlock
    return {
      ...node,
      ...(node.key !== undefined && { key: seededKey(node.key, seed) }),
      ...(nodes && { nodes: nodes.map(rekeyed) }),
      ...(fragments && { fragments: fragments.map(rekeyed) }),
    }
  }
  return { ...document, nodes: document.nodes.map(rekeyed) }
}

function seededKey(key: string, seed: string): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, key]))
    .digest('base64url')
    .slice(0, 16)
}
