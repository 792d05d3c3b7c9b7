import { createHash } from 'node:crypto'
import type { DocumentBlock, DocumentFragment, DocumentNode } from './schema.ts'

type Keyed = DocumentNode | DocumentFragment

/** Gives each node a key of its content and, among nodes of the same content, its place: it stays when others are edited. */
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
  const content = JSON.stringify([own, inside.map(({ hash }) => hash), parts.map(({ hash }) => hash)])
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
