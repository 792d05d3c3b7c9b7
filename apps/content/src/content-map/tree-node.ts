import { createHash } from 'node:crypto'

/** Hash of a node: SHA-256 in hex of its canonical JSON. */
export type NodeHash = string

/** An id and its record, which is plain JSON. */
export type Entry = [id: string, record: unknown]

/** A node of the trie: a bucket of entries sorted by id, or children by the next five bits of the hash of their ids. */
export type TreeNode = { leaf: Entry[] } | { branch: [slot: number, hash: NodeHash][] }

/** Largest number of entries of a leaf; a smaller subtree is always one leaf. */
export const maxLeafEntries = 16

const bitsPerLevel = 5
const digestBits = 256
const slotMask = (1 << bitsPerLevel) - 1

/** JSON with sorted keys and without undefined, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

export function parseNode(text: string): TreeNode {
  return JSON.parse(text) as TreeNode
}

/** The node's stored text and its address. */
export function writeNode(node: TreeNode): { hash: NodeHash; text: string } {
  const text = canonicalJson(node)
  return { hash: createHash('sha256').update(text).digest('hex'), text }
}

export function leafOf(all: readonly Entry[]): TreeNode {
  return { leaf: [...all].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

export function branchOf(children: ReadonlyMap<number, NodeHash>): TreeNode {
  return { branch: [...children].sort(([a], [b]) => a - b) }
}

/** An id with its key hash (SHA-256); each level of the trie uses five bits of it. */
export interface KeyedEntry {
  id: string
  keyHash: Buffer
}

export function hashKey(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

/** The slot of a key hash at a depth; throws a `RangeError` when its bits are used up. */
export function slotAt(keyHash: Buffer, depth: number): number {
  const bit = depth * bitsPerLevel
  if (bit + bitsPerLevel > digestBits) throw new RangeError('two ids have the same SHA-256')
  const pair = ((keyHash[bit >> 3] ?? 0) << 8) | (keyHash[(bit >> 3) + 1] ?? 0)
  return (pair >> (16 - bitsPerLevel - (bit & 7))) & slotMask
}

/** Groups items by their slots at a depth. */
export function groupBySlot<T extends KeyedEntry>(all: Iterable<T>, depth: number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of all) {
    const slot = slotAt(item.keyHash, depth)
    const group = groups.get(slot)
    if (group) group.push(item)
    else groups.set(slot, [item])
  }
  return groups
}
