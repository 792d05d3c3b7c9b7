import type { Reads } from '../api/reads.ts'
import type { DocumentPage, Revision, SiteSpace } from '../api/types.ts'
import { encodePath } from '../addresses/site-links.rules.ts'
import { withMarkdownSource } from './markdown-source.rules.ts'
import { publishedBase, publishedUrl } from './meta-links.ts'
import { isPublished, type OpenedSite } from './open-site.ts'
import type { PageTree } from './page-tree.rules.ts'

/** A space of a site whose pages are read. */
export interface SpaceOfPages {
  siteSpace: SiteSpace
  revision: Revision
  tree: PageTree
  /** The address of the space for the visitor, ending in a slash: pages have it where they have no published one. */
  address: string
}

/**
 * Reads a page as Markdown, with its source below the title: what its conditions let the visitor see, with the values of its expressions. Its
 * links to pages lead to their Markdown.
 */
export async function readMarkdown(
  page: DocumentPage,
  space: SpaceOfPages,
  { site, reads }: { site: OpenedSite; reads: Pick<Reads, 'immutable'> },
): Promise<string> {
  const { siteSpace, revision } = space
  const { markdown = '' } = await reads.immutable<{ markdown?: string }>({
    path: `/spaces/${siteSpace.space.id}/revisions/${revision.id}/page/${page.id}`,
    query: { format: 'markdown', evaluated: 'true', 'format.markdown.base': addressOf(space, site) },
    token: site.lookup.apiToken,
  })
  const url = urlOfPage(page, space, site)
  return withMarkdownSource(markdown, { url, revision: revision.id, changedAt: page.updatedAt })
}

/** The address of a page in a space of a site: its published one, else that at which the visitor reads it. */
export function urlOfPage({ id, path }: DocumentPage, space: SpaceOfPages, site: OpenedSite): string {
  const isHome = id === space.tree.home?.page.id
  const published = isPublished(site) ? publishedUrl(space.siteSpace, isHome ? '' : path) : undefined
  return published ?? `${space.address}${isHome ? '' : encodePath(path)}`
}

/** The address of a space, ending in a slash. */
function addressOf({ siteSpace, address }: SpaceOfPages, site: OpenedSite): string {
  return (isPublished(site) ? publishedBase(siteSpace) : undefined) ?? address
}
