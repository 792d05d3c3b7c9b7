import type { SearchResult } from '../api/types.ts'
import { hitsOf, renderSearch, type Hit } from '../layout/other-pages.tsx'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { textAnswer } from '../responses/page-response.ts'

/** Characters of a query, as the API has it. */
const maxQueryLength = 512
/** Pages that a search shows. */
const maxPages = '30'

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

/** Searches the variant that the visitor reads, and the default ones of other sections. */
async function find(query: string, { request, tools }: { request: SiteRequest; tools: SiteTools }): Promise<Hit[]> {
  if (query === '') return []
  const { organization, site, siteSpace, apiToken: token } = request.site.lookup
  const result = await tools.reads.fresh<SearchResult>({
    method: 'POST',
    path: `/orgs/${organization}/sites/${site}/search`,
    query: { limit: maxPages },
    body: { query, scope: { mode: 'default', currentSiteSpace: siteSpace } },
    token,
  })
  return hitsOf(result, request.view)
}
