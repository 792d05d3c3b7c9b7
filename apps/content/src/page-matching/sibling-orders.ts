import { generateNKeysBetween } from 'fractional-indexing'

/** A sibling in the sequence of an import: its id, and its previous fractional index below the same parent. */
export interface Sibling {
  id: string
  order: string | undefined
}

/** Fractional indexes for siblings in this sequence. As many as possible keep theirs, so that few records change. */
export function ordersFor(siblings: Sibling[]): string[] {
  if (isAscending(siblings)) return siblings.map(({ order }) => order ?? '')
  const unmovedIndexes = longestIncreasingSubsequence(siblings)
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

/** Indexes of a longest subsequence whose orders ascend strictly (patience sorting). */
function longestIncreasingSubsequence(siblings: Sibling[]): number[] {
  const tails: number[] = []
  const previous: (number | undefined)[] = []
  siblings.forEach(({ order }, index) => {
    if (order === undefined) return
    const pile = tails.findLastIndex(tail => (siblings[tail]?.order ?? '') < order) + 1
    previous[index] = tails[pile - 1]
    tails[pile] = index
  })
  const indexes: number[] = []
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) indexes.push(at)
  return indexes.reverse()
}
