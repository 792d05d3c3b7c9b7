import { createHash } from 'node:crypto'

/** Characters of a hash: some 72 bits, so that no two contents of a table have the same. */
const hashLength = 12

/**
 * Ids of rows or columns, which follow their content: an id stays while others are added, removed, moved or edited. Equal ones are told
 * apart by their order.
 */
export function contentIds(prefix: string, contents: readonly unknown[]): string[] {
  const seen = new Map<string, number>()
  return contents.map(content => {
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, hashLength)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return count === 1 ? `${prefix}-${hash}` : `${prefix}-${hash}-${count}`
  })
}
