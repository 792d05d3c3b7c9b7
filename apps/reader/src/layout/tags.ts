import type { DocumentPage } from '../api/types.ts'

/** The tags of a page; content of the version before sends none. */
export function tagsOf(page: Partial<Pick<DocumentPage, 'tags'>>): DocumentPage['tags'] {
  return page.tags ?? []
}
