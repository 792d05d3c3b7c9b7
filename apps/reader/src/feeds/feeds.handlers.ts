import { Feed } from 'feed'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { Readable } from 'node:stream'
import { recentChanges } from '../changes/recent-changes.rules.ts'
import { canonicalUrl, isIndexed } from '../layout/page.tsx'
import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../layout/site-request.ts'
import { countInBackground } from '../events/count-event.ts'
import { excludesAgents, isPublished } from '../loaders/open-site.ts'
import { urlOfPage } from '../loaders/read-markdown.ts'
import { listedSpaces } from '../markdown/listed-spaces.ts'
import { publishedUrl } from '../loaders/meta-links.ts'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { textAnswer } from '../responses/page-response.ts'
import { bodyPlace } from '../layout/view.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { robotsText } from './robots.rules.ts'
import { updatesFeed } from './updates-feed.ts'
import { withoutControls } from './xml-text.rules.ts'

/** Pages that a sitemap has at most (sitemaps.org). */
const maxUrls = 50_000
/** Pages that a feed has: those changed last. */
const feedLength = 50
/** The end of the path of the updates of a page. */
const updatesPath = '/rss.xml'

/** `robots.txt`, sitemaps and `rss.xml`, of a space and of a page with updates: what search engines and readers of feeds ask for. They say nothing of what is not public. */
export const feedsFeature: SiteFeature = (request, tools) => {
  switch (request.site.path) {
    case 'robots.txt':
      return answerRobots(request)
    case 'sitemap.xml':
      return answerSitemapIndex(request)
    case 'sitemap-pages.xml':
      return answerSitemap(request)
    case 'rss.xml':
      return answerFeed(request, tools)
    default:
      return answerUpdates(request, tools)
  }
}

function isPublic({ site }: SiteRequest): boolean {
  return isPublished(site) && site.published.site.visibility === 'public'
}

async function answerRobots(request: SiteRequest) {
  const { site } = request
  const published = isPublic(request) ? (site.published.site.urls.published ?? '') : undefined
  return textAnswer('text/plain', robotsText({ published, excludesAgents: excludesAgents(site) }), cached)
}

/** The sitemaps of all spaces of the site: one for each place, of which a space that the site shows twice has the first. */
async function answerSitemapIndex(request: SiteRequest) {
  const { published } = request.site
  if (!isPublic(request)) return undefined
  const urls = siteSpacesOf(published).flatMap((siteSpace, at, all) => {
    const isFirst = all.findIndex(({ space }) => space.id === siteSpace.space.id) === at
    return (isFirst ? publishedUrl(siteSpace, 'sitemap-pages.xml') : undefined) ?? []
  })
  const xml = await streamToPromise(Readable.from(urls).pipe(new SitemapIndexStream()))
  return textAnswer('application/xml', xml.toString(), cached)
}

/** The pages of the space that may be found. */
async function answerSitemap(request: SiteRequest) {
  const { site } = request
  if (!isPublic(request)) return undefined
  const entries = site.tree.documents.flatMap(({ page }) => {
    const url = isIndexed(request, page) ? canonicalUrl(request, page) : undefined
    return url === undefined ? [] : [{ url, ...(page.updatedAt && { lastmod: page.updatedAt }) }]
  })
  const stream = new SitemapStream({ xmlns: { news: false, xhtml: false, image: false, video: false } })
  const xml = await streamToPromise(Readable.from(entries.slice(0, maxUrls)).pipe(stream))
  return textAnswer('application/xml', xml.toString(), cached)
}

/** The pages that changed last (RSS 2.0): of all sections at the beginning of the site, of one space elsewhere. */
async function answerFeed(request: SiteRequest, tools: SiteTools) {
  const { site, view, origin } = request
  const changes = recentChanges(await listedSpaces(request, tools), feedLength)
  const home = `${origin}${site.links.space}`
  const [newest] = changes
  const { visitorAddress } = request
  countInBackground(
    { type: 'rss_request' },
    { site, page: null, language: view.language, visitorAddress, api: tools.api },
  )
  const feed = new Feed({
    id: home,
    link: home,
    title: `${view.title} – ${view.t('recentChanges')}`,
    copyright: '',
    description: view.title,
    language: view.language,
    ...(newest && { updated: newest.changedAt }),
    feedLinks: { rss: `${home}rss.xml` },
  })
  for (const { page, space, changedAt } of changes)
    feed.addItem({
      id: `${page.id}-${changedAt.getTime()}`,
      link: urlOfPage(page, space, site),
      title: page.title,
      date: changedAt,
      ...(page.description && { description: page.description }),
    })
  return textAnswer('application/rss+xml', withoutControls(feed.rss2()), cached)
}

/** The updates of a page, to whom the page is shown; undefined for other paths, and for pages without updates. */
async function answerUpdates(request: SiteRequest, { bodies }: SiteTools) {
  const { site, view, method } = request
  const isFeed = method === 'GET' && site.path.endsWith(updatesPath) && !site.tree.at(site.path)?.isExact
  const match = isFeed ? site.tree.at(site.path.slice(0, -updatesPath.length)) : undefined
  if (!match?.isExact) return undefined
  const { page } = match.treePage
  const body = await bodies.read(page, bodyPlace(view))
  if (body.updates.length === 0) return undefined
  return textAnswer('application/rss+xml', updatesFeed(page, body, request), {
    'cache-control': pageCaching(isForEverybody(site)),
    ...(!isIndexed(request, page) && { 'x-robots-tag': 'noindex' }),
  })
}

const cached = { 'cache-control': pageCaching(false) }
