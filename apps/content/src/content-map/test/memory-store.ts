import { emptyRoot, parseNode } from '../content-map.ts'
import type { Built, NodeHash, NodeStore, TreeNode } from '../content-map.ts'

/** Nodes in memory. Counts the requested nodes, and freezes them, because nodes shared through a cache must never change. */
export class MemoryStore implements NodeStore {
  readonly #nodes = new Map<NodeHash, TreeNode>()
  loads = 0
  loaded = 0

  add({ root, nodes }: Built): NodeHash {
    for (const [hash, text] of nodes) this.#nodes.set(hash, frozen(parseNode(text)))
    return root
  }

  async load(hashes: NodeHash[]): Promise<Map<NodeHash, TreeNode>> {
    this.loads += 1
    this.loaded += hashes.length
    return new Map(hashes.flatMap(hash => (this.has(hash) ? [[hash, this.node(hash)]] : [])))
  }

  has(hash: NodeHash): boolean {
    return this.#nodes.has(hash)
  }

  node(hash: NodeHash): TreeNode {
    const node = this.#nodes.get(hash)
    if (!node) throw new Error(`no node ${hash}`)
    return node
  }

  reset(): void {
    this.loads = 0
    this.loaded = 0
  }

  /** All nodes of a map. */
  below(root: NodeHash): Set<NodeHash> {
    if (root === emptyRoot) return new Set([root])
    const node = this.node(root)
    return new Set([root, ...('branch' in node ? node.branch.flatMap(([, child]) => [...this.below(child)]) : [])])
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
