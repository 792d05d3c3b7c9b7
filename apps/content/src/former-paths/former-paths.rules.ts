import type { PageIndex } from '../pages/page-tree.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'

/** UTF-16 code units of a path: the source of a redirect is no longer. */
const longestPath = 512

/** How a path is kept and asked for: letter case does not distinguish URLs. */
export function pathKey(path: string): string {
  return path.toLowerCase().replace(/\p{Cs}/gu, '\u{fffd}')
}

/** Whether paths may differ after a change of pages: one that stays has another name or place. */
export function movesPages(changes: readonly Difference<PageRecord>[]): boolean {
  return changes.some(
    ({ before, after }) => before && after && (before.slug !== after.slug || before.parent !== after.parent),
  )
}

/**
 * Maps each path that a page no longer has in `after` to the id of the page. Deleted pages are left out, and so are pages whose path an
 * earlier page of the tree shared.
 */
export function droppedPaths(before: PageIndex, after: PageIndex): Map<string, string> {
  const dropped = new Map<string, string>()
  for (const { id, slug } of before.inOrder()) {
    const path = before.pathOf(id)
    const isKept = !after.get(id) || after.pathOf(id) === path
    if (isKept || slug === undefined || path === '' || path.length > longestPath || path.includes('\0')) continue
    if (before.byPath(path)?.id === id && !dropped.has(pathKey(path))) dropped.set(pathKey(path), id)
  }
  return dropped
}
