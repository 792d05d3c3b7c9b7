import { longestIncreasingSubsequence } from '@recto/text'
import { generateNKeysBetween } from 'fractional-indexing'

/** A sibling in the sequence of an import: its id, and its previous fractional index below the same parent. */
export interface Sibling {
  id: string
  order: string | undefined
}

/** Fractional indexes for siblings in this sequence. As many as possible keep theirs, so that few records change. */
export function ordersFor(siblings: Sibling[]): string[] {
  if (isAscending(siblings)) return siblings.map(({ order }) => order ?? '')
  const unmovedIndexes = longestIncreasingSubsequence(siblings.map(({ order }) => order))
  const orders: string[] = []
  let at = 0
  let last: string | null = null
  for (const next of [...unmovedIndexes, siblings.length]) {
    const bound: string | null = siblings[next]?.order ?? null
    orders.push(...generateNKeysBetween(last, bound, next - at))
    if (bound !== null) orders.push(bound)
    at = next + 1
    last = bound
  }
  return orders
}

/** Whether the indexes ascend; equal ones must ascend by id, as siblings are read. */
function isAscending(siblings: Sibling[]): boolean {
  return siblings.every(({ id, order }, index) => {
    const before = siblings[index - 1]
    if (order === undefined) return false
    if (before?.order === undefined) return index === 0
    return before.order < order || (before.order === order && before.id < id)
  })
}
