import { isForEverybody, type SiteFeature, type SiteRequest, type SiteTools } from '../layout/site-request.ts'
import { canonicalUrl, isIndexed, markdownHref } from '../layout/page.tsx'
import type { DocumentPage } from '../api/types.ts'
import { readMetaLinks } from '../loaders/meta-links.ts'
import { excludesAgents } from '../loaders/open-site.ts'
import { readMarkdown } from '../loaders/read-markdown.ts'
import { textAnswer } from '../responses/page-response.ts'
import { pageCaching } from '../responses/caching.rules.ts'

/** Pages of a site that all of it as one text has at most. */
const maxPages = 2_000

/** Pages as Markdown: each below its own address with `.md`, all of a space in `llms-full.txt`, and a list of them in `llms.txt`. They are for agents, so a site that excludes them has none. */
export const markdownFeature: SiteFeature = (request, tools) => {
  const { path, tree } = request.site
  if (excludesAgents(request.site)) return undefined
  if (path === 'llms.txt') return answerList(request)
  if (path === 'llms-full.txt') return answerAll(request, tools)
  if (!path.endsWith('.md')) return undefined
  const match = tree.at(path.slice(0, -'.md'.length))
  return match?.isExact ? answerPage(match.treePage.page, request, tools) : undefined
}

async function answerPage(page: DocumentPage, request: SiteRequest, tools: SiteTools) {
  const metaLinks = await readMetaLinks(page, { site: request.site, reads: tools.reads })
  const canonical = metaLinks.canonical ?? canonicalUrl(request, page)
  return textAnswer('text/markdown', await readMarkdown(page, { site: request.site, reads: tools.reads }), {
    ...cacheHeaders(request),
    ...(canonical !== undefined && { link: `<${canonical}>; rel="canonical"` }),
    ...(!isIndexed(request, page) && { 'x-robots-tag': 'noindex' }),
  })
}

async function answerList(request: SiteRequest) {
  const { site, view, origin } = request
  const lines = site.tree.documents.flatMap(({ page, above }) => {
    if (page.hidden || page.noIndex) return []
    const description = page.description ? `: ${oneLine(page.description)}` : ''
    const indent = '  '.repeat(above.filter(({ type }) => type === 'document').length)
    return [
      `${indent}- [${oneLine(page.title).replaceAll(/[[\]\\]/g, '\\$&')}](${origin}${markdownHref(page, site)})${description}`,
    ]
  })
  return textAnswer('text/plain', `# ${oneLine(view.title)}\n\n${lines.join('\n')}\n`, cacheHeaders(request))
}

async function answerAll(request: SiteRequest, tools: SiteTools) {
  const { documents } = request.site.tree
  const visibleDocuments = documents.filter(({ page }) => !page.hidden && !page.noIndex).slice(0, maxPages)
  // One after another, as each page is read when the one before has been sent.
  const encoder = new TextEncoder()
  let next = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const treePage = visibleDocuments[next]
      next += 1
      if (!treePage) return controller.close()
      const text = await readMarkdown(treePage.page, { site: request.site, reads: tools.reads })
      controller.enqueue(encoder.encode(`${text.trimEnd()}\n\n`))
    },
  })
  return { ...textAnswer('text/plain', '', cacheHeaders(request)), body }
}

function cacheHeaders({ site }: SiteRequest): Record<string, string> {
  return { 'cache-control': pageCaching(isForEverybody(site)) }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
