import { setTimeout as sleep } from 'node:timers/promises'
import type { Collector } from './collector.ts'
import { decodeText } from './content-type.ts'
import { ConvertFailure } from './convert-failure.ts'
import type { HtmlFacts } from './html.ts'
import { resourceKey } from './links.ts'
import { readRobots, type Robots } from './robots.ts'
import { readSitemap } from './sitemap.ts'
import { answered } from './single-page.ts'
import { scopeOf, type SiteScope } from './site-scope.ts'

/** A page of a site, as it was fetched. */
export interface CrawledPage {
  url: string
  facts: HtmlFacts
  html: string
}

const maxDepth = 20
const maxSitemaps = 10
const maxSitemapBytes = 10 * 1024 * 1024
const concurrency = 4

interface Crawl {
  collector: Collector
  scope: SiteScope
  robots: Robots
  /** Keys of the pages that were found. */
  pageKeys: Set<string>
  pages: CrawledPage[]
  /** URLs by key of pages that lead to another, by redirect or canonical URL. */
  aliases: Map<string, string>
}

/** The pages of a site, its start first; `aliases` gives the page of URLs that lead to it. */
export interface CrawledSite {
  scope: SiteScope
  pages: CrawledPage[]
  aliases: Map<string, string>
}

/** Fetches the pages of a site breadth first, within the scope of its start URL and as its robots.txt allows. */
export async function crawlSite(start: string, collector: Collector): Promise<CrawledSite> {
  const { tools } = collector
  const { origin } = new URL(start)
  const robots = await readRobots(origin, tools)
  if (!robots.allows(start))
    throw new ConvertFailure('invalid', `The robots.txt of ${origin} does not allow to fetch this page`)
  const first = await tools.fetch(start, { maxBytes: Math.min(tools.limits.maxPageBytes, collector.bytesLeft) })
  if (first.status !== 200) throw answered(start, first.status)
  const scope = scopeOf(first.url)
  const own = scope.origin === origin ? robots : await readRobots(scope.origin, tools)
  if (!own.allows(first.url))
    throw new ConvertFailure('invalid', `The robots.txt of ${scope.origin} does not allow to fetch this page`)
  const crawl: Crawl = { collector, scope, robots: own, pageKeys: new Set(), pages: [], aliases: new Map() }
  const frontier = new Set([scope.pageOf(first.url, first.url) ?? first.url])
  let level = admit(crawl, [...frontier])
  const sitemap = await sitemapPages(crawl)
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const urls = await visitAll(crawl, level)
    level = admit(crawl, depth === 0 ? [...urls, ...sitemap] : urls)
  }
  if (level.length > 0)
    collector.warn(start, `${level.length} pages were not fetched: they are more than ${maxDepth} links away`)
  if (crawl.pages.length === 0) throw new ConvertFailure('invalid', 'No page could be imported from this website')
  return crawl
}

/** Of these URLs those that are new, as many as the limit allows. */
function admit({ pageKeys, robots, collector }: Crawl, urls: string[]): string[] {
  const admitted: string[] = []
  for (const url of urls) {
    const key = resourceKey(new URL(url))
    if (pageKeys.has(key)) continue
    pageKeys.add(key)
    collector.expect(1)
    if (!robots.allows(url)) collector.warn(url, 'The robots.txt of the site does not allow to fetch this page')
    else if (pageKeys.size > collector.tools.limits.maxFiles) {
      collector.warn(url, `The page was not fetched: at most ${collector.tools.limits.maxFiles} are imported`)
      return admitted
    } else admitted.push(url)
  }
  return admitted
}

/** Fetches pages, a few at a time, and returns what they link to, in their order. */
async function visitAll(crawl: Crawl, urls: string[]): Promise<string[]> {
  const urlsByPage: string[][] = []
  const fetched: (CrawledPage | undefined)[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < urls.length; at = next++) {
      const page = await visitPage(crawl, urls[at] ?? '')
      if (crawl.robots.delay > 0) await sleep(crawl.robots.delay * 1_000, undefined, signalOf(crawl))
      fetched[at] = page
      urlsByPage[at] = page?.facts.links.flatMap(link => crawl.scope.pageOf(link, page.url) ?? []) ?? []
    }
  }
  await Promise.all(Array.from({ length: crawl.robots.delay > 0 ? 1 : concurrency }, worker))
  crawl.pages.push(...fetched.filter(page => page !== undefined))
  return urlsByPage.flat()
}

const signalOf = ({ collector: { tools } }: Crawl) => (tools.signal ? { signal: tools.signal } : {})

/** A page with what it says about itself; undefined, with a warning, when there is none, or it is another page's other address. */
async function visitPage(crawl: Crawl, url: string): Promise<CrawledPage | undefined> {
  const { collector, scope, aliases } = crawl
  const { tools } = collector
  tools.signal?.throwIfAborted()
  if (collector.bytesLeft <= 0) return skipped(crawl, url, `more than ${tools.limits.maxBytes} bytes are not read`)
  try {
    const reply = await tools.fetch(url, { maxBytes: Math.min(tools.limits.maxPageBytes, collector.bytesLeft) })
    collector.spend(reply.bytes.byteLength)
    if (reply.status !== 200) return skipped(crawl, url, `the server answered ${reply.status}`)
    if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(reply.contentType))
      return skipped(crawl, url, 'it is no HTML page')
    const html = decodeText(reply.bytes, reply.contentType)
    const facts = await tools.run('htmlFacts', { html, base: reply.url })
    const redirected = scope.pageOf(reply.url, reply.url)
    if (redirected === undefined)
      return skipped(crawl, url, 'it leads to another website, or out of the folder of the start page')
    const canonical = facts.canonical === undefined ? undefined : scope.pageOf(facts.canonical, reply.url)
    const own = canonical !== undefined && crawl.robots.allows(canonical) ? canonical : redirected
    if (isTaken(crawl, { url, own })) {
      aliases.set(resourceKey(new URL(url)), own)
      collector.expect(-1)
      return undefined
    }
    for (const alias of [url, redirected]) aliases.set(resourceKey(new URL(alias)), own)
    return { url: own, facts, html }
  } catch (error) {
    tools.signal?.throwIfAborted()
    return skipped(crawl, url, error instanceof Error ? error.message : 'it cannot be read')
  }
}

/** Whether another URL already stands for the page; claims it otherwise. */
function isTaken({ pageKeys, aliases }: Crawl, { url, own }: { url: string; own: string }): boolean {
  const requestedKey = resourceKey(new URL(url))
  const key = resourceKey(new URL(own))
  if (requestedKey === key) return aliases.has(key)
  const taken = pageKeys.has(key)
  pageKeys.add(key)
  return taken
}

function skipped({ collector }: Crawl, url: string, reason: string): undefined {
  collector.warn(url, `The page was not imported: ${reason}`)
}

/** The pages of the scope that the sitemaps of the site name. */
async function sitemapPages({ collector, scope, robots }: Crawl): Promise<string[]> {
  const queue = [...robots.sitemaps, `${scope.origin}${scope.prefix}sitemap.xml`, `${scope.origin}/sitemap.xml`]
  const read = new Set<string>()
  const pages: string[] = []
  for (let next = queue.shift(); next !== undefined && read.size < maxSitemaps; next = queue.shift()) {
    const isOwn = URL.canParse(next) && new URL(next).origin === scope.origin
    if (!isOwn || read.has(next)) continue
    read.add(next)
    const sitemap = await fetchSitemap(next, collector)
    queue.push(...sitemap.sitemaps)
    pages.push(...sitemap.pages.flatMap(page => scope.pageOf(page, scope.origin) ?? []))
  }
  return pages
}

async function fetchSitemap(url: string, collector: Collector): Promise<ReturnType<typeof readSitemap>> {
  const none = { pages: [], sitemaps: [] }
  try {
    const { status, bytes } = await collector.tools.fetch(url, {
      maxBytes: Math.min(maxSitemapBytes, collector.bytesLeft),
    })
    collector.spend(bytes.byteLength)
    return status === 200 ? readSitemap(decodeText(bytes)) : none
  } catch {
    collector.tools.signal?.throwIfAborted()
    return none
  }
}
