import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ApiFailure } from '../api/api-client.ts'
import { redirectSource } from '../addresses/redirect-source.rules.ts'
import type { Redirection } from '../api/types.ts'
import { renderMissing } from '../layout/other-pages.tsx'
import { renderPage } from '../layout/page.tsx'
import {
  isForEverybody,
  isPublicLive,
  type SiteFeature,
  type SiteRequest,
  type SiteTools,
} from '../layout/site-request.ts'
import { readMetaLinks } from '../loaders/meta-links.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { redirectResponse, type PageResponse } from '../responses/page-response.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { pageText, type PageText } from '../responses/page-text.ts'

interface Rendered {
  page: PageText
  tag: string
}

/** Characters of a query that a redirect keeps, as the API has it. */
const maxQuery = 2048

const serials = new WeakMap<object, number>()
let last = 0

/** A number for an object, so that what is made of it can be kept by it. */
function serial(object: object): number {
  const existingSerial = serials.get(object)
  if (existingSerial !== undefined) return existingSerial
  last += 1
  serials.set(object, last)
  return last
}

/** Pages of a site: the feature that answers every path which no other does. */
export function pagesFeature(maxBytes: number): SiteFeature {
  const renderCache = new LRUCache<string, Rendered>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ page }) => page.bytes + 1,
  })
  return async (request, tools) => {
    const { site } = request
    const at = site.tree.at(site.path)
    if (!at) return answerMissing(request, tools)
    if (!at.isExact) return redirectResponse(`${site.links.ofPage(at.treePage.page.path)}${request.search}`)
    const rendered = await renderKept(at.treePage, { request, tools, renderCache })
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': pageCaching(isForEverybody(site)),
        etag: rendered.tag,
      },
      body: null,
      page: rendered.page,
    }
  }
}

async function renderKept(
  treePage: TreePage,
  { request, tools, renderCache }: { request: SiteRequest; tools: SiteTools; renderCache: LRUCache<string, Rendered> },
): Promise<Rendered> {
  const { view, site } = request
  const newTab = view.customization.externalLinks.target === 'blank'
  const body = await tools.bodies.read(treePage.page, { site, locale: view.locale, newTab })
  const metaLinks = await readMetaLinks(treePage.page, { site, reads: tools.reads })
  const { published, space, revision, links } = site
  const parts = [published, space, revision, body].map(serial)
  const key = JSON.stringify([...parts, treePage.page.id, site.siteSpace.id, links.space, metaLinks])
  const cachedPage = renderCache.get(key)
  if (cachedPage) return cachedPage
  const html = renderPage({ ...view, treePage, body, metaLinks })
  const rendered = {
    page: pageText(html, view.nonce),
    tag: `W/"${createHash('sha256').update(html.replaceAll(view.nonce, '')).digest('base64url').slice(0, 22)}"`,
  }
  renderCache.set(key, rendered)
  return rendered
}

/** Answers a path without a page, which may have moved: the site knows where to. */
async function answerMissing({ site, view, search }: SiteRequest, { reads }: SiteTools): Promise<PageResponse> {
  const { lookup, links } = site
  const source = redirectSource(lookup)
  const { organization, site: siteId, shareKey, apiToken: token } = lookup
  const query = search.slice(1, 1 + maxQuery)
  const parameters = { source, ...(shareKey !== undefined && { shareKey }), ...(query !== '' && { query }) }
  try {
    const { redirect, target } = await reads.fresh<Redirection>({
      path: `/orgs/${organization}/sites/${siteId}/redirect`,
      query: parameters,
      token,
    })
    return redirectResponse(links.ofPublished(target), redirect.permanent && isPublicLive(site))
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status >= 500) throw error
  }
  return {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: renderMissing(view),
  }
}
