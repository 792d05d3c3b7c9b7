/** Items of one request that are worked on at once. */
const few = 2

/** Maps items in their order, a few at once: work that waits in a shared queue leaves other requests their place in it. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const remaining = items.entries()
  const workThrough = async () => {
    for (const [at, item] of remaining) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: few }, workThrough))
  return results
}
