import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { isForEverybody } from '../layout/site-request.ts'
import type { OpenedSite } from '../loaders/open-site.ts'
import { edgeTags, isKeptByEdges, keptHeaders, refusedHeaders, type EdgeTimes } from '../responses/edge.rules.ts'
import type { PageResponse } from '../responses/page-response.ts'
import type { PageRequest } from './page-request.ts'

/** Says to edges whether they keep an answer of a site, and under which tags. Without edges, the answer is as it was. */
export function withEdge(
  answer: PageResponse,
  { pageRequest, site, edge }: { pageRequest: PageRequest; site: OpenedSite; edge: EdgeTimes },
): { answer: PageResponse; isKept: boolean } {
  const { 'cache-control': cacheControl = '', vary } = answer.headers
  // A font is no content of the site, and kept for good.
  if (edge.age === 0 || cacheControl.includes('immutable')) return { answer, isKept: false }
  const { status, cookies = [] } = answer
  const { method, headers, host, prefersMarkdown } = pageRequest
  const setsCookies = cookies.length > 0
  const request = { method, headers, host, prefersMarkdown }
  const isKept = isKeptByEdges(edge, {
    ...request,
    status,
    cacheControl,
    setsCookies,
    isCurrent: site.lookup.keptSince === undefined,
    isForEverybody: isForEverybody(site),
  })
  const edgeHeaders = isKept ? keptHeaders(edge, { tags: tagsOf(site), vary }) : refusedHeaders
  return { answer: { ...answer, headers: { ...answer.headers, ...edgeHeaders } }, isKept }
}

function tagsOf({ lookup, space, published }: OpenedSite): string[] {
  const others = siteSpacesOf(published).map(siteSpace => siteSpace.space.id)
  return edgeTags({ organization: lookup.organization, site: lookup.site, spaces: [space.id, ...others] })
}
