/** Keeps the places of as many items as possible in ascending order; undefined for items that move. */
export function longestIncreasingSubsequence(places: (number | undefined)[]): (number | undefined)[] {
  const tails: number[] = []
  const previous: number[] = []
  for (const [at, place] of places.entries()) {
    if (place === undefined) continue
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((places[tails[middle] ?? 0] ?? 0) < place) low = middle + 1
      else high = middle
    }
    previous[at] = tails[low - 1] ?? -1
    tails[low] = at
  }
  const stayingPlaces: (number | undefined)[] = places.map(() => undefined)
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) stayingPlaces[at] = places[at]
  return stayingPlaces
}
