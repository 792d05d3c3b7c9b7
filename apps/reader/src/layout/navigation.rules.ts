import type { Page } from '../api/types.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'

/** An entry of the navigation as it shows. */
export interface NavigationEntry {
  page: Page
  isCurrent: boolean
  /** The entry or something below it is current. */
  isOpen: boolean
  /** The entries below it; undefined where there is none. */
  below?: NavigationEntry[]
}

/** Entries of a navigation that shows everything; in a longer one, what is beside the way to the current page opens when it is visited. */
export const maxEntries = 500

/** The navigation of a page: the pages that are not hidden, and the way to the current page. */
export function navigationOf(pages: readonly Page[], current: TreePage | undefined): NavigationEntry[] {
  const way = new Set([...(current?.above ?? []).map(({ id }) => id), ...(current ? [current.page.id] : [])])
  const isShort = countOf(pages) <= maxEntries
  const entriesOf = (level: readonly Page[]): NavigationEntry[] =>
    level.flatMap(page => {
      if (page.type === 'computed' || (hiddenIn(page) && !way.has(page.id))) return []
      const children = 'pages' in page ? page.pages : []
      const isOpen = way.has(page.id)
      const shows = isShort || isOpen || page.type === 'group'
      const below = shows ? entriesOf(children) : []
      return [{ page, isCurrent: page.id === current?.page.id, isOpen, ...(below.length > 0 && { below }) }]
    })
  return entriesOf(pages)
}

function hiddenIn(page: Page): boolean {
  return 'hidden' in page && page.hidden === true
}

function countOf(pages: readonly Page[]): number {
  let count = 0
  const pending = [...pages]
  for (let page = pending.pop(); page && count <= maxEntries; page = pending.pop()) {
    count += 1
    if ('pages' in page) pending.push(...page.pages)
  }
  return count
}
