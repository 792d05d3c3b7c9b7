import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work after which other requests have their turn. */
const sliceMs = 4

/** Maps items in their order, in slices, so that many do not keep other requests waiting. */
export async function inSlices<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  let started = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - started < sliceMs) continue
    await nextTurn()
    started = performance.now()
  }
  return results
}
