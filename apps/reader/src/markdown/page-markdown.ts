import type { DocumentPage } from '../api/types.ts'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { publishedUrl } from '../loaders/meta-links.ts'
import { encodePath } from '../addresses/site-links.rules.ts'
import type { ListedSpace } from './listed-spaces.ts'
import { withMarkdownSource } from './page-head.rules.ts'

/** Reads a page as the visitor's Markdown, with its source below the title; its links to pages lead to their Markdown. */
export async function readPageMarkdown(
  page: DocumentPage,
  { siteSpace, revision, tree, address }: Omit<ListedSpace, 'title'>,
  { request: { site }, reads }: { request: SiteRequest } & Pick<SiteTools, 'reads'>,
): Promise<string> {
  const { markdown = '' } = await reads.immutable<{ markdown?: string }>({
    path: `/spaces/${siteSpace.space.id}/revisions/${revision.id}/page/${page.id}`,
    query: { format: 'markdown', evaluated: 'true', 'format.markdown.links': 'markdown' },
    token: site.lookup.apiToken,
  })
  const path = page.id === tree.home?.page.id ? '' : page.path
  const isPreview = site.isPreview || site.lookup.changeRequest !== undefined || site.lookup.revision !== undefined
  const url = (isPreview ? undefined : publishedUrl(siteSpace, path)) ?? `${address}${encodePath(path)}`
  return withMarkdownSource(markdown, { url, revision: revision.id, changedAt: page.updatedAt })
}
