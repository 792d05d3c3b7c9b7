import { redirectSource } from '../addresses/redirect-source.rules.ts'
import { ApiFailure } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { Redirection } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'

/** Characters of a query that a redirect keeps, as the API has it. */
const maxQuery = 2048

/** Finds where the address that a visitor opened leads since the page has moved, with its query (`?…`); undefined where it leads nowhere. */
export async function readRedirection(
  { lookup }: { lookup: OpenedSite['lookup'] },
  { reads, search = '' }: { reads: Pick<Reads, 'fresh'>; search?: string },
): Promise<Redirection | undefined> {
  const { organization, site, shareKey, apiToken: token } = lookup
  const visitorQuery = search.slice(1, 1 + maxQuery)
  const query = {
    source: redirectSource(lookup),
    ...(shareKey !== undefined && { shareKey }),
    ...(visitorQuery !== '' && { query: visitorQuery }),
  }
  try {
    return await reads.fresh<Redirection>({ path: `/orgs/${organization}/sites/${site}/redirect`, query, token })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status >= 500) throw error
    return undefined
  }
}
