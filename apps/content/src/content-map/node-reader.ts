import { leafOf, writeNode } from './tree-node.ts'
import type { NodeHash, TreeNode } from './tree-node.ts'

/** A store of nodes, read with one call per level, however many nodes. Loaded nodes must never be changed. */
export interface NodeStore {
  load(hashes: NodeHash[]): Promise<Map<NodeHash, TreeNode>>
}

/** Returns the node of a hash; undefined while it is not loaded. */
export type Read = (hash: NodeHash) => TreeNode | undefined

const emptyLeaf = leafOf([])

/** The root of the empty map. It need not be stored. */
export const emptyRoot: NodeHash = writeNode(emptyLeaf).hash

/** Nodes read so far in one operation. */
export interface NodeReader {
  /** Runs a pure function, loads all missing nodes that it requested, and runs it again until no node is missing. */
  runUntilLoaded<T>(look: (read: Read) => T): Promise<T>
  has(hash: NodeHash): boolean
}

/** Creates a reader that loads each node of a store at most once. */
export function createNodeReader(store: NodeStore): NodeReader {
  const nodes = new Map([[emptyRoot, emptyLeaf]])
  return {
    has: hash => nodes.has(hash),
    async runUntilLoaded(task) {
      for (;;) {
        const missing = new Set<NodeHash>()
        const result = task(hash => {
          const node = nodes.get(hash)
          if (!node) missing.add(hash)
          return node
        })
        if (missing.size === 0) return result
        await load(store, { missing, nodes })
      }
    },
  }
}

async function load(
  store: NodeStore,
  { missing, nodes }: { missing: Set<NodeHash>; nodes: Map<NodeHash, TreeNode> },
): Promise<void> {
  const loadedNodes = await store.load([...missing])
  for (const hash of missing) {
    const node = loadedNodes.get(hash)
    if (!node) throw new Error(`tree node ${hash} is missing`)
    nodes.set(hash, node)
  }
}
