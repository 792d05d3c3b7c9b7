import { emptyRoot, type TreeNode } from '../content-map/content-map.ts'

const hour = 3_600_000

/** The time up to which marked garbage may be freed: readers that began before the mark have ended by now. */
export function garbageCutoff(now: Date): Date {
  return new Date(now.getTime() - hour)
}

/** A tree node, a page's Markdown file in the database, or bytes in the blob store. */
export type ContentKind = 'node' | 'document' | 'blob'

/** A reference to content by its hash. */
export interface ContentRef {
  kind: ContentKind
  hash: string
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** The references of a node: its children, or the documents and files of its records. */
export function referencesOf(node: TreeNode): ContentRef[] {
  if ('branch' in node) return node.branch.flatMap(([, hash]) => (hash === emptyRoot ? [] : [{ kind: 'node', hash }]))
  return node.leaf.flatMap(([, record]) => {
    const { document, hash } = record as { document?: unknown; hash?: unknown }
    return [
      ...(isHash(document) ? [{ kind: 'document' as const, hash: document }] : []),
      ...(isHash(hash) ? [{ kind: 'blob' as const, hash }] : []),
    ]
  })
}
