import { differences, entriesBelow } from './map-diff.ts'
import type { Difference } from './map-diff.ts'
import { buildMap, keyChanges, updateMap, walk } from './map-update.ts'
import type { MapUpdate } from './map-update.ts'
import { createNodeReader } from './node-reader.ts'
import type { NodeStore } from './node-reader.ts'
import { hashKey } from './tree-node.ts'
import type { NodeHash } from './tree-node.ts'

export type { Difference } from './map-diff.ts'
export type { MapUpdate as Built } from './map-update.ts'
export { emptyRoot } from './node-reader.ts'
export type { NodeStore } from './node-reader.ts'
export { canonicalJson, parseNode } from './tree-node.ts'
export type { NodeHash, TreeNode } from './tree-node.ts'

/** Builds a map from its entries. The root depends on the entries only, not on the history of the map. */
export function build(entries: Iterable<readonly [string, unknown]>): MapUpdate {
  return buildMap(keyChanges(entries))
}

/** Sets records; undefined deletes. Reads and writes only the nodes on the paths to the changed ids; one load per level. */
export async function update(
  store: NodeStore,
  root: NodeHash,
  changes: ReadonlyMap<string, unknown>,
): Promise<MapUpdate> {
  return updateMap(createNodeReader(store), root, keyChanges(changes))
}

/** Finds the record of an id. */
export async function get<Row>(store: NodeStore, root: NodeHash, id: string): Promise<Row | undefined> {
  return (await getMany<Row>(store, root, [id])).get(id)
}

/** Finds the records of these ids; ids that are not in the map are left out. One load per level. */
export async function getMany<Row>(store: NodeStore, root: NodeHash, ids: Iterable<string>): Promise<Map<string, Row>> {
  const keys = Array.from(new Set(ids), id => ({ id, keyHash: hashKey(id) }))
  const leaves =
    keys.length === 0
      ? []
      : await createNodeReader(store).runUntilLoaded(read => walk(read, { hash: root, depth: 0 }, keys))
  const records = new Map(leaves.flat())
  return new Map(keys.flatMap(({ id }): [string, Row][] => (records.has(id) ? [[id, records.get(id) as Row]] : [])))
}

/** Reads all entries of a map, in no particular order; one load per level. */
export async function entries<Row>(store: NodeStore, root: NodeHash): Promise<[string, Row][]> {
  return (await createNodeReader(store).runUntilLoaded(read => entriesBelow(read, root))) as [string, Row][]
}

/** Finds the differences between two maps; equal subtrees are not read, the others with one load per level. */
export async function diff<Row>(store: NodeStore, before: NodeHash, after: NodeHash): Promise<Difference<Row>[]> {
  return createNodeReader(store).runUntilLoaded(read => differences<Row>(read, before, after))
}
