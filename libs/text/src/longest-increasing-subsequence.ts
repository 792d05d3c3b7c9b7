/**
 * Returns the indexes of a longest subsequence whose keys increase strictly, in ascending order; an item without a key is never in it. Patience
 * sorting: takes n log n steps.
 */
export function longestIncreasingSubsequence<Key extends string | number>(
  keys: readonly (Key | undefined)[],
): number[] {
  const tails: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((keys[tails[middle] as number] as Key) < key) low = middle + 1
      else high = middle
    }
    previous[index] = tails[low - 1]
    tails[low] = index
  }
  const indexes: number[] = []
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) indexes.push(at)
  return indexes.reverse()
}
