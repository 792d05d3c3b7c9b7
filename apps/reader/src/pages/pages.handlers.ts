import { LRUCache } from 'lru-cache'
import { renderMissing } from '../layout/other-pages.tsx'
import { renderPage } from '../layout/page.tsx'
import { markdownHref } from '../layout/page-metadata.tsx'
import {
  isForEverybody,
  isPublicLive,
  type SiteFeature,
  type SiteRequest,
  type SiteTools,
} from '../layout/site-request.ts'
import { readMetaLinks } from '../loaders/meta-links.ts'
import { excludesAgents } from '../loaders/open-site.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { entityTag } from '../responses/entity-tag.ts'
import { redirectResponse, textAnswer, type PageResponse } from '../responses/page-response.ts'
import { readRedirection } from '../loaders/read-redirection.ts'
import { bodyPlace } from '../layout/view.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { pageText, type PageText } from '../responses/page-text.ts'

interface Rendered {
  page: PageText
  tag: string
}

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
    const { page } = at.treePage
    const rendered = await renderKept(at.treePage, { request, tools, renderCache })
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': pageCaching(isForEverybody(site)),
        etag: rendered.tag,
        ...(!excludesAgents(site) && {
          vary: 'Accept',
          link: `<${markdownHref(page, site)}>; rel="alternate"; type="text/markdown"`,
        }),
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
  const body = await tools.bodies.read(treePage.page, bodyPlace(view))
  const metaLinks = await readMetaLinks(treePage.page, { site, reads: tools.reads })
  const { published, space, revision, links } = site
  const parts = [published, space, revision, body].map(serial)
  const key = JSON.stringify([...parts, treePage.page.id, site.siteSpace.id, links.space, metaLinks])
  const cachedPage = renderCache.get(key)
  if (cachedPage) return cachedPage
  const html = renderPage({ ...view, treePage, body, metaLinks })
  const rendered = {
    page: pageText(html, view.nonce),
    tag: entityTag(html.replaceAll(view.nonce, '')),
  }
  renderCache.set(key, rendered)
  return rendered
}

/** Answers a path without a page, which may have moved: the site knows where to. */
async function answerMissing(
  { site, view, prefersMarkdown, search }: SiteRequest,
  { reads }: SiteTools,
): Promise<PageResponse> {
  const redirection = await readRedirection(site, { reads, search })
  if (redirection) {
    const { redirect, target } = redirection
    return redirectResponse(site.links.ofPublished(target), redirect.permanent && isPublicLive(site))
  }
  if (prefersMarkdown && !excludesAgents(site)) {
    const text = `# ${view.t('notFound')}\n\n${view.t('notFoundText')}\n`
    return { ...textAnswer('text/markdown', text, { 'cache-control': 'no-store' }), status: 404 }
  }
  return {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: renderMissing(view),
  }
}
