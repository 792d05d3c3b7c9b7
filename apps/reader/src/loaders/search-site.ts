import type { Reads } from '../api/reads.ts'
import type { SearchResult } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'

/** Characters of a search, and of a question, as the API has it. */
export const maxQueryLength = 512
/** Pages that a search finds. */
const maxHits = '30'

/** Searches the variant that a visitor reads, and the default ones of other sections. */
export function searchSite(
  query: string,
  { site, reads, limit = maxHits }: { site: OpenedSite; reads: Pick<Reads, 'fresh'>; limit?: string },
): Promise<SearchResult> {
  const { organization, site: siteId, siteSpace, apiToken: token } = site.lookup
  return reads.fresh<SearchResult>({
    method: 'POST',
    path: `/orgs/${organization}/sites/${siteId}/search`,
    query: { limit },
    body: { query, scope: { mode: 'default', currentSiteSpace: siteSpace } },
    token,
  })
}
