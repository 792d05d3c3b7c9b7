import { hitsOf, renderSearch, type Hit } from '../layout/other-pages.tsx'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { maxQueryLength, searchSite } from '../loaders/search-site.ts'
import { textAnswer } from '../responses/page-response.ts'

/** The search of a site: a page at `~recto/search?q=`, and its hits as JSON for the search as one types. */
export const searchFeature: SiteFeature = (request, tools) => {
  if (request.site.path === '~recto/search') return answerPage(request, tools)
  return request.site.path === '~recto/search.json' ? answerHits(request, tools) : undefined
}

const notKept = { 'cache-control': 'private, no-store' }

async function answerPage(request: SiteRequest, tools: SiteTools) {
  const query = queryOf(request)
  const hits = await find(query, { request, tools })
  return textAnswer('text/html', renderSearch(request.view, { query, hits }), notKept)
}

async function answerHits(request: SiteRequest, tools: SiteTools) {
  const hits = await find(queryOf(request), { request, tools })
  const { t } = request.view
  const status =
    hits.length === 0 ? t('searchNothing', { query: queryOf(request) }) : t('searchResults', { count: hits.length })
  return textAnswer('application/json', JSON.stringify({ hits, status }), notKept)
}

function queryOf({ query }: SiteRequest): string {
  return (query.get('q') ?? '').trim().slice(0, maxQueryLength)
}

async function find(query: string, { request, tools }: { request: SiteRequest; tools: SiteTools }): Promise<Hit[]> {
  if (query === '') return []
  return hitsOf(await searchSite(query, { site: request.site, reads: tools.reads }), request.view)
}
