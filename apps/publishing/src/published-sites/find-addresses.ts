import type { siteAddressCalls } from '@recto/contracts-publishing-bus'
import type { Input, Output } from '@recto/operation'
import { addressOf } from '../addresses/addresses.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import { addressOfSiteSpace } from '../structure/site-addresses.rules.ts'
import { publicSitesWith } from '../sites/sites.repository.ts'
import { orderedSiteSpaces } from '../structure/structure.rules.ts'
import type { VisitedSite } from './read-visited-site.ts'
import { shownTo } from './resolve-path.rules.ts'
import type { VisitedSites } from './visited-sites.ts'

type Asked = Input<typeof siteAddressCalls.findAddresses>['body']
type Address = Output<typeof siteAddressCalls.findAddresses>['addresses'][number]
type Tools = Pick<BaseContext, 'db' | 'sitesUrl'> & { visitedSites: VisitedSites }

/** The first address of each space: on the site of the visitor, else on public sites, in the order of their ids. An unlisted site is known to those who were told its address. */
export async function findAddresses({ spaces, visitor }: Asked, tools: Tools): Promise<Address[]> {
  const { db, visitedSites } = tools
  const own = visitor && (await visitedSites.byId(db, visitor.site))
  const addresses = new Map<string, Address>()
  if (own) addAddresses(own, { addresses, spaces, claims: visitor.claims }, tools)
  const rest = spaces.filter(space => !addresses.has(space))
  for (const id of rest.length > 0 ? await publicSitesWith(db, rest) : []) {
    if (addresses.size === spaces.length) break
    const site = await visitedSites.byId(db, id)
    if (site?.site.visibility === 'public')
      addAddresses(site, { addresses, spaces: rest, claims: claimsOfAnybody(site) }, tools)
  }
  return [...addresses.values()]
}

/** Whoever opens a site without a login has no claims. */
function claimsOfAnybody({ site: { adaptiveContent } }: VisitedSite): Record<string, unknown> {
  return adaptiveContent ? { unsigned: {} } : {}
}

interface Adding {
  addresses: Map<string, Address>
  spaces: readonly string[]
  claims: Record<string, unknown>
}

/** Adds where a published site shows spaces to who has these claims. A site behind share links has no address that opens without a key. */
function addAddresses(
  { site, structure }: VisitedSite,
  { addresses, spaces, claims }: Adding,
  { sitesUrl }: Pick<Tools, 'sitesUrl'>,
): void {
  if (!site.published || site.visibility === 'share-link') return
  const visibleStructure = shownTo(structure, claims)
  for (const siteSpace of orderedSiteSpaces(visibleStructure)) {
    const { spaceId: space } = siteSpace
    if (!spaces.includes(space) || addresses.has(space)) continue
    const url = addressOfSiteSpace(visibleStructure, siteSpace, addressOf(site, sitesUrl))
    const { organizationId: organization, id, version } = site
    addresses.set(space, { space, url, organization, site: id, version, claims })
  }
}
