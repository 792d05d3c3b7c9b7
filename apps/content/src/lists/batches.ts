/** Yields the items in batches of a size, in their order; the last one can be smaller. */
export function* batches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
