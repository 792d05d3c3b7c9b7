import { Readable } from 'node:stream'
import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../layout/site-request.ts'
import { canonicalUrl, isIndexed } from '../layout/page.tsx'
import type { DocumentPage } from '../api/types.ts'
import { encodePath } from '../addresses/site-links.rules.ts'
import { countInBackground, type SiteEvent } from '../events/count-event.ts'
import { readMetaLinks } from '../loaders/meta-links.ts'
import { excludesAgents } from '../loaders/open-site.ts'
import { isListed } from '../loaders/page-tree.rules.ts'
import { readMarkdown } from '../loaders/read-markdown.ts'
import { readRedirection } from '../loaders/read-redirection.ts'
import { entityTag } from '../responses/entity-tag.ts'
import { redirectResponse, textAnswer, type PageResponse } from '../responses/page-response.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { listedGroups, llmsText } from './llms-text.rules.ts'
import { listedSpaces, listedVariants, type ListedSpace } from './listed-spaces.ts'

/** Pages of one part of all pages as one text. */
const pagesPerPart = 100
/** Pages up to which the list of a site has those of all sections; a larger one leads to a list for each section. */
const maxListedPages = 1_000
const fullTextPath = /^llms-full\.txt(?:\/([1-9]\d{0,5}))?$/

/**
 * Pages as Markdown: at their addresses to who prefers it, and below them with `.md`; all of them in `llms-full.txt`, and a list of them in
 * `llms.txt`. They are for agents, so a site that excludes them has none.
 */
export const markdownFeature: SiteFeature = (request, tools) => {
  const { site, method, prefersMarkdown } = request
  const { path, tree } = site
  if (method !== 'GET' || excludesAgents(site)) return undefined
  if (path === 'llms.txt') return answerList(request, tools)
  const fullText = fullTextPath.exec(path)
  if (fullText) return answerFullText(Number(fullText[1] ?? 1), request, tools)
  const match = path.endsWith('.md') ? tree.at(path.slice(0, -'.md'.length)) : undefined
  if (match?.isExact) return answerPage(match.treePage.page, request, tools)
  if (path.endsWith('.md') && !tree.at(path)) return answerMoved(request, tools)
  const negotiated = prefersMarkdown ? tree.at(path) : undefined
  return negotiated?.isExact ? answerPage(negotiated.treePage.page, request, tools) : undefined
}

async function answerPage(page: DocumentPage, request: SiteRequest, tools: SiteTools): Promise<PageResponse> {
  const { reads } = tools
  const { site, origin } = request
  const metaLinks = await readMetaLinks(page, { site, reads })
  const canonical = metaLinks.canonical ?? canonicalUrl(request, page)
  const space = { ...site, address: `${origin}${site.links.space}` }
  const text = await readMarkdown(page, space, { site, reads })
  // Browsers say so of what a page of the site itself asks for: its own links and buttons.
  const isPageAction = request.headers['sec-fetch-site'] === 'same-origin'
  const source = isPageAction ? { markdownSource: 'page-action' } : {}
  count({ type: 'page_markdown_request', ...source }, { page: page.id, request, tools })
  return textAnswer('text/markdown', text, {
    ...cacheHeaders(request),
    etag: entityTag(text),
    // Of one address, a cache keeps both the page and its Markdown.
    vary: 'Accept',
    ...(canonical !== undefined && { link: `<${canonical}>; rel="canonical"` }),
    ...(!isIndexed(request, page) && { 'x-robots-tag': 'noindex' }),
  })
}

/** Leads from the Markdown of a page that has moved to the one at its new address; undefined where the page leads nowhere. */
async function answerMoved({ site, search }: SiteRequest, { reads }: SiteTools): Promise<PageResponse | undefined> {
  const pathname = site.lookup.pathname.replace(/\.md$/, '')
  const redirection = await readRedirection({ lookup: { ...site.lookup, pathname } }, { reads, search })
  if (!redirection) return undefined
  const target = site.links.ofPublished(redirection.target)
  // The start of a space, and other sites, have no such address.
  return redirectResponse(/^\/[^?#]*[^/?#](?=[?#]|$)/.test(target) ? target.replace(/(?=[?#]|$)/, '.md') : target)
}

async function answerList(request: SiteRequest, tools: SiteTools): Promise<PageResponse> {
  const { site, view, origin } = request
  const spaces = await listedSpaces(request, tools)
  const isLarge = spaces.length > 1 && spaces.reduce((sum, { tree }) => sum + tree.documents.length, 0) > maxListedPages
  const text = llmsText({
    title: view.title,
    summary: site.tree.home?.page.description,
    fullTextUrl: `${origin}${site.links.space}llms-full.txt`,
    sections: spaces.map(({ title, address, tree, siteSpace }) =>
      isLarge && siteSpace.id !== site.siteSpace.id
        ? { title, url: `${address}llms.txt` }
        : { title, groups: listedGroups(tree, path => `${address}${encodePath(path)}.md`) },
    ),
    variants: listedVariants(request),
    pagesTitle: view.t('pages'),
  })
  count({ type: 'llms_request', llmsVariant: 'standard' }, { page: null, request, tools })
  return textAnswer('text/plain', text, { ...cacheHeaders(request), etag: entityTag(text) })
}

/** Answers one part of all pages, one page after another, as each is read when the one before has been sent; its end leads to the next part. */
async function answerFullText(part: number, request: SiteRequest, tools: SiteTools): Promise<PageResponse | undefined> {
  const spaces = await listedSpaces(request, tools)
  const pages = spaces.flatMap(space => space.tree.documents.filter(isListed).map(({ page }) => ({ page, space })))
  const isLast = part * pagesPerPart >= pages.length
  const pending = pages.slice((part - 1) * pagesPerPart, part * pagesPerPart)
  if (part > 1 && pending.length === 0) return undefined
  const nextUrl = `${request.origin}${request.site.links.space}llms-full.txt/${part + 1}`
  count({ type: 'llms_request', llmsVariant: 'full' }, { page: null, request, tools })
  const texts = fullTextParts(pending, { request, tools, end: isLast ? '' : `[Next part](${nextUrl})\n` })
  return {
    ...textAnswer('text/plain', '', cacheHeaders(request)),
    body: Readable.toWeb(Readable.from(texts)) as ReadableStream<Uint8Array>,
  }
}

async function* fullTextParts(
  pages: readonly { page: DocumentPage; space: ListedSpace }[],
  { request: { site }, tools: { reads }, end }: { request: SiteRequest; tools: SiteTools; end: string },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const { page, space } of pages) yield encoder.encode(`${await readMarkdown(page, space, { site, reads })}\n`)
  if (end !== '') yield encoder.encode(end)
}

function count(
  event: SiteEvent,
  { page, request, tools }: { page: string | null; request: SiteRequest; tools: SiteTools },
): void {
  const { site, view, visitorAddress } = request
  countInBackground(event, { site, page, language: view.language, visitorAddress, api: tools.api })
}

function cacheHeaders({ site }: SiteRequest): Record<string, string> {
  return { 'cache-control': pageCaching(isForEverybody(site)) }
}
