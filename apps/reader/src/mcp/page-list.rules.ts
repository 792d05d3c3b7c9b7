import { isInNavigation, type TreePage } from '../loaders/page-tree.rules.ts'

/** Pages of one answer. */
export const pagesAtOnce = 100

/** A part of a list, and where the next one begins. */
export interface PagePart {
  pages: TreePage[]
  nextCursor?: string
}

/** The pages that the navigation of a space shows. */
export function listedPages(documents: readonly TreePage[]): TreePage[] {
  return documents.filter(isInNavigation)
}

/** The part of a list behind a cursor, which names the last page before it; undefined where that page is gone. */
export function partOf(pages: readonly TreePage[], cursor: string | undefined): PagePart | undefined {
  const last = cursor === undefined ? -1 : pages.findIndex(({ page }) => cursorOf(page.id) === cursor)
  if (cursor !== undefined && last === -1) return undefined
  const part = pages.slice(last + 1, last + 1 + pagesAtOnce)
  const end = part.at(-1)
  const hasMore = last + 1 + pagesAtOnce < pages.length
  return { pages: part, ...(hasMore && end && { nextCursor: cursorOf(end.page.id) }) }
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url')
}
