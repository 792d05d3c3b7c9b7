import type { NodeReader, Read } from './node-reader.ts'
import { branchOf, maxLeafEntries, groupBySlot, hashKey, leafOf, writeNode } from './tree-node.ts'
import type { Entry, KeyedEntry, NodeHash, TreeNode } from './tree-node.ts'

/** The root of a new map, with the nodes that are not stored yet. */
export interface MapUpdate {
  root: NodeHash
  nodes: Map<NodeHash, string>
}

/** A record to be set, or to be deleted when it is undefined. */
export interface Change extends KeyedEntry {
  record: unknown
}

/** A changed subtree: its entries if they fit in one leaf (the parent may merge them), otherwise the hash of the written node. */
type Subtree = { few: Change[] } | { hash: NodeHash }

interface Rewrite {
  read: Read
  nodes: Map<NodeHash, string>
  hasDeletions: boolean
}

/** Adds key hashes to changes; of several changes of an id, the last one counts. */
export function keyChanges(changes: Iterable<readonly [string, unknown]>): Change[] {
  return Array.from(new Map(changes), ([id, record]) => ({ id, record, keyHash: hashKey(id) }))
}

export function buildMap(all: Change[]): MapUpdate {
  const nodes = new Map<NodeHash, string>()
  const records = all.filter(({ record }) => record !== undefined)
  return { root: writeSubtree(nodes, subtreeOf(nodes, records, 0)), nodes }
}

/** Applies changes to a map; only nodes on the paths to the changed ids are read (all of a level at once) and written. */
export async function updateMap(reader: NodeReader, root: NodeHash, changes: Change[]): Promise<MapUpdate> {
  await reader.runUntilLoaded(read => walk(read, { hash: root, depth: 0 }, changes))
  const hasDeletions = changes.some(({ record }) => record === undefined)
  const built = await reader.runUntilLoaded(read => {
    const nodes = new Map<NodeHash, string>()
    return {
      root: writeSubtree(nodes, rewrite({ read, nodes, hasDeletions }, { hash: root, depth: 0 }, changes)),
      nodes,
    }
  })
  for (const hash of built.nodes.keys()) if (reader.has(hash)) built.nodes.delete(hash)
  return built
}

interface Place {
  hash: NodeHash
  depth: number
}

/** Requests every node on the paths to these ids, and returns the entries of the leaves at their ends. */
export function walk(read: Read, at: Place, all: KeyedEntry[]): Entry[][] {
  const node = read(at.hash)
  if (node === undefined) return []
  if ('leaf' in node) return [node.leaf]
  const children = new Map(node.branch)
  return [...groupBySlot(all, at.depth)].flatMap(([slot, part]) => {
    const hash = children.get(slot)
    return hash === undefined ? [] : walk(read, { hash, depth: at.depth + 1 }, part)
  })
}

function rewrite(writing: Rewrite, at: Place, changes: Change[]): Subtree {
  const node = writing.read(at.hash)
  if (node === undefined) return { hash: at.hash }
  return 'leaf' in node
    ? rewriteLeaf(writing, { leaf: node.leaf, depth: at.depth }, changes)
    : rewriteBranch(writing, { branch: node.branch, depth: at.depth }, changes)
}

function rewriteLeaf(writing: Rewrite, at: { leaf: Entry[]; depth: number }, changes: Change[]): Subtree {
  const entries = new Map(keyChanges(at.leaf).map(entry => [entry.id, entry]))
  for (const change of changes) {
    if (change.record === undefined) entries.delete(change.id)
    else entries.set(change.id, change)
  }
  return subtreeOf(writing.nodes, [...entries.values()], at.depth)
}

function rewriteBranch(
  writing: Rewrite,
  at: { branch: [number, NodeHash][]; depth: number },
  changes: Change[],
): Subtree {
  const children = new Map<number, Subtree>(at.branch.map(([slot, hash]) => [slot, { hash }]))
  const depth = at.depth + 1
  for (const [slot, part] of groupBySlot(changes, at.depth)) {
    const child = children.get(slot)
    const next =
      child && 'hash' in child
        ? rewrite(writing, { hash: child.hash, depth }, part)
        : subtreeOf(writing.nodes, part.filter(isSet), depth)
    if ('few' in next && next.few.length === 0) children.delete(slot)
    else children.set(slot, next)
  }
  const few = writing.hasDeletions ? entriesIfFew(writing, [...children.values()]) : undefined
  return few ? { few } : writeBranch(writing.nodes, children)
}

const isSet = ({ record }: Change) => record !== undefined

/** Returns the entries below a branch when they fit in one leaf; requests the unchanged children only while that is possible. */
function entriesIfFew({ read, nodes }: Rewrite, children: Subtree[]): Change[] | undefined {
  const few = children.flatMap(child => ('few' in child ? child.few : []))
  const whole = children.flatMap(child => ('hash' in child ? [child.hash] : []))
  if (few.length + whole.length > maxLeafEntries || whole.some(hash => nodes.has(hash))) return undefined
  const leaves = whole.map(read)
  if (!leaves.every(isLeaf)) return undefined
  const all = [...few, ...keyChanges(leaves.flatMap(node => node.leaf))]
  return all.length <= maxLeafEntries ? all : undefined
}

const isLeaf = (node: TreeNode | undefined): node is { leaf: Entry[] } => node !== undefined && 'leaf' in node

function subtreeOf(nodes: Map<NodeHash, string>, all: Change[], depth: number): Subtree {
  if (all.length <= maxLeafEntries) return { few: all }
  const children = new Map(
    [...groupBySlot(all, depth)].map(([slot, part]) => [slot, subtreeOf(nodes, part, depth + 1)]),
  )
  return writeBranch(nodes, children)
}

function writeBranch(nodes: Map<NodeHash, string>, children: Map<number, Subtree>): Subtree {
  return {
    hash: write(nodes, branchOf(new Map([...children].map(([slot, child]) => [slot, writeSubtree(nodes, child)])))),
  }
}

function writeSubtree(nodes: Map<NodeHash, string>, subtree: Subtree): NodeHash {
  if ('hash' in subtree) return subtree.hash
  return write(nodes, leafOf(subtree.few.map(({ id, record }): Entry => [id, record])))
}

function write(nodes: Map<NodeHash, string>, node: TreeNode): NodeHash {
  const { hash, text } = writeNode(node)
  nodes.set(hash, text)
  return hash
}
