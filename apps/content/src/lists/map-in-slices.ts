import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work between two yields to other requests. */
const sliceMs = 4

/** Maps items in their order, and yields to other requests from time to time, so that long lists do not block them. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let startedAt = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - startedAt < sliceMs) continue
    await nextTurn()
    startedAt = performance.now()
  }
  return results
}
