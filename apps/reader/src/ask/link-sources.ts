import type { AnswerSource, SearchResult } from '../api/types.ts'
import { hitsOf, type Hit } from '../layout/other-pages.tsx'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { readSourcePage } from '../loaders/ask-site.ts'
import { searchSite } from '../loaders/search-site.ts'
import { hitOfSource } from './sources.rules.ts'

/** Pages among which the sources of an answer are looked for: as many as the API looks at. */
const limit = '50'
const nothing: SearchResult = { items: [] } as unknown as SearchResult

interface LinkContext {
  question: string
  request: SiteRequest
  reads: SiteTools['reads']
}

/** The sources of an answer as links to their pages and sections; what the visitor does not see any more is left out. */
export async function linkSources(sources: readonly AnswerSource[], context: LinkContext): Promise<Hit[]> {
  if (sources.length === 0) return []
  const { question, request, reads } = context
  // Sections are named by the ids of a search, which also has their titles and places.
  const result = await searchSite(question, { site: request.site, reads, limit }).catch(() => nothing)
  const hits = sources.map(async source => {
    const hit = hitsOf(hitOfSource(result, source), request.view)
    return hit.length > 0 ? hit : linkPage(source, context)
  })
  return (await Promise.all(hits)).flat()
}

/** The page of a source by itself, for a search that does not find it any more. */
async function linkPage(source: AnswerSource, { request: { site, view }, reads }: LinkContext): Promise<Hit[]> {
  const place = await readSourcePage(source, { site, reads })
  if (!place) return []
  const pages = [{ ...place.page, sections: [] }]
  return hitsOf({ items: [{ id: source.space, pages }] } as unknown as SearchResult, view)
}
