import type { Read } from './node-reader.ts'
import { canonicalJson } from './tree-node.ts'
import type { Entry, NodeHash } from './tree-node.ts'

/** An id whose record differs between two maps; a missing record is undefined. */
export interface Difference<Row> {
  id: string
  before?: Row
  after?: Row
}

/** Requests all nodes below a hash and returns their entries. */
export function entriesBelow(read: Read, hash: NodeHash): Entry[] {
  const node = read(hash)
  if (node === undefined) return []
  return 'leaf' in node ? node.leaf : node.branch.flatMap(([, child]) => entriesBelow(read, child))
}

/** Finds the differences between two subtrees at the same place; equal subtrees are not requested. */
export function differences<Row>(
  read: Read,
  before: NodeHash | undefined,
  after: NodeHash | undefined,
): Difference<Row>[] {
  if (before === after) return []
  const [left, right] = [before, after].map(hash => (hash === undefined ? undefined : read(hash)))
  if (left && right && 'branch' in left && 'branch' in right) {
    const a = new Map(left.branch)
    const b = new Map(right.branch)
    const slots = new Set([...a.keys(), ...b.keys()])
    return [...slots].flatMap(slot => differences<Row>(read, a.get(slot), b.get(slot)))
  }
  return compare(entriesOf<Row>(read, before), entriesOf<Row>(read, after))
}

function entriesOf<Row>(read: Read, hash: NodeHash | undefined): Map<string, Row> {
  return new Map(hash === undefined ? [] : (entriesBelow(read, hash) as [string, Row][]))
}

function compare<Row>(before: Map<string, Row>, after: Map<string, Row>): Difference<Row>[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].flatMap(id => {
    const a = before.get(id)
    const b = after.get(id)
    if (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)) return []
    return [{ id, ...(a !== undefined && { before: a }), ...(b !== undefined && { after: b }) }]
  })
}
