import type { ApiClient } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { RequestAddress } from '../addresses/request-address.rules.ts'
import { localizedText } from '../i18n/index.ts'
import { customizationOf } from '../layout/view.ts'
import { isPublished, openSite, type OpenedSite } from '../loaders/open-site.ts'
import type { Visitor } from '../loaders/visitor.rules.ts'

/** A site that the client of a visitor has opened, with everything to read more of it as the same visitor. */
export interface Visit {
  /** The site, at the space that the client is connected to. */
  site: OpenedSite
  /** The address of the server at this reader, and the credentials that it was opened with. */
  address: RequestAddress
  visitor: Visitor
  /** The origin at which the client reaches the reader. */
  origin: string
  /** Asks for the site again, since a token has ended. */
  renew: boolean
  reads: Pick<Reads, 'fresh' | 'immutable'>
  /** Not aborted when the client has gone, unless a request has a signal. */
  api: ApiClient
}

/** Opens another path of the site as the visitor of a visit; undefined where it leads to another site, or to what is not published. */
export async function openPath(
  path: string,
  { site, address, visitor, renew, reads }: Visit,
): Promise<OpenedSite | undefined> {
  const result = await openSite({ ...address, path }, { reads, visitor, renew })
  const isSame = 'site' in result && result.site.lookup.site === site.lookup.site
  return isSame && isPublished(result.site) ? result.site : undefined
}

/** The language of the space that is read. */
export function languageOf(site: OpenedSite): string {
  return site.space.language ?? customizationOf(site.published, site).internationalization.locale
}

/** The title of a site in the language of the space that is read. */
export function titleOf(site: OpenedSite): string {
  const { title = site.published.site.title, localizedTitle } = customizationOf(site.published, site)
  return localizedText(title, localizedTitle, languageOf(site))
}
