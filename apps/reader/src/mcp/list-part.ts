import { ToolFailure } from '@recto/mcp'
import { canonicalUrl } from '../layout/page.tsx'
import type { OpenedSite } from '../loaders/open-site.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { listedPages, partOf } from './page-list.rules.ts'

/** A page with its published address. */
export interface AddressedPage extends TreePage {
  url: string
}

/** A part of the pages of a space with their addresses. Throws a `ToolFailure` for a cursor of pages that are gone. */
export function listPart(
  site: OpenedSite,
  cursor: string | undefined,
): { pages: AddressedPage[]; nextCursor?: string } {
  const part = partOf(listedPages(site.tree.documents), cursor)
  if (!part) throw new ToolFailure('The cursor is not valid any more: begin again without it')
  const pages = part.pages.flatMap(treePage => {
    const url = canonicalUrl({ site }, treePage.page)
    return url === undefined ? [] : [{ ...treePage, url }]
  })
  return { ...part, pages }
}
