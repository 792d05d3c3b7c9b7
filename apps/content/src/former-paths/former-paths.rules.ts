import { pathKey } from '@recto/repository-content'
import type { PageIndex } from '../pages/page-tree.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'

/** Largest length of a path in UTF-16 code units, as for the source of a redirect. */
const maxPathLength = 512

/** Whether a change of pages may change paths: a page that stays has another slug or parent. */
export function movesPages(changes: readonly Difference<PageRecord>[]): boolean {
  return changes.some(
    ({ before, after }) => before && after && (before.slug !== after.slug || before.parent !== after.parent),
  )
}

/**
 * Maps each path that a page no longer has in `after` to the id of the page. Deleted pages are left out, and so are pages whose path an
 * earlier page of the tree shared.
 */
export function findDroppedPaths(before: PageIndex, after: PageIndex): Map<string, string> {
  const pathsToPages = new Map<string, string>()
  for (const { id, slug } of before.inOrder()) {
    const path = before.pathOf(id)
    const isUnchanged = !after.get(id) || after.pathOf(id) === path
    if (isUnchanged || slug === undefined || path === '' || path.length > maxPathLength || path.includes('\0')) continue
    if (before.byPath(path)?.id === id && !pathsToPages.has(pathKey(path))) pathsToPages.set(pathKey(path), id)
  }
  return pathsToPages
}
