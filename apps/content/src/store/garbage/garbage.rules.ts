import { restorable } from '../../hierarchy/duplicate/duplicate.rules.ts'
import { emptyRoot, type TreeNode } from '../content-map/content-map.ts'

const hour = 3_600_000

/** What was deleted before this can be restored no more. */
export function dueBefore(now: Date): Date {
  return new Date(now.getTime() - restorable)
}

/** Whether something is to be purged. */
export function isDue(deletedAt: Date | null, now: Date): boolean {
  return deletedAt !== null && deletedAt < dueBefore(now)
}

/** What became garbage at or before this is freed: readers that began before have ended. */
export function sweptUntil(now: Date): Date {
  return new Date(now.getTime() - hour)
}

/** A tree node, a page's Markdown file in the database, or bytes in the blob store. */
export type Kind = 'node' | 'document' | 'blob'

/** Something stored under its hash. */
export interface Stored {
  kind: Kind
  hash: string
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** What a node names that may be used by nobody else: its children, or the documents and files of its records. */
export function partsOf(node: TreeNode): Stored[] {
  if ('branch' in node) return node.branch.flatMap(([, hash]) => (hash === emptyRoot ? [] : [{ kind: 'node', hash }]))
  return node.leaf.flatMap(([, record]) => {
    const { document, hash } = record as { document?: unknown; hash?: unknown }
    return [
      ...(isHash(document) ? [{ kind: 'document' as const, hash: document }] : []),
      ...(isHash(hash) ? [{ kind: 'blob' as const, hash }] : []),
    ]
  })
}
