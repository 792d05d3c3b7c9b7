import { visitorSignInPaths } from '@recto/contracts-publishing'
import { Failure, fieldFault } from '@recto/operation'
import { findSiteAtUrl } from '../lookup/find-site-at-url.ts'
import type { SiteOidcRow } from '../publishing-auth/site-oidc.entity.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { isSiteRoot } from '../visitor-sessions/site-roots.rules.ts'
import { returnLocation } from './return-location.rules.ts'

/** The context of operations that sign visitors in and out. */
export type SignInContext = BaseContext & { visitedSites: VisitedSites }

/** A site that signs its visitors in by a provider. */
export interface ProviderAt {
  site: SiteRow
  oidc: SiteOidcRow
  /** The path below the site that a visitor asked for. */
  location: string
}

/** The provider of the site at an address. Throws `not_found` where there is none, and names the field where the site is not at `root`. */
export async function providerAt(
  { url, root }: { url: string; root: string },
  context: SignInContext,
): Promise<ProviderAt> {
  const { visited, parts, own } = await findSiteAtUrl(url, undefined, context)
  const oidc = await siteOidc.find(context.db, visited.site.id)
  if (!oidc || visited.site.visibility === 'share-link') throw noProvider()
  if (!isSiteRoot(root, visited.site, context)) throw fieldFault('body.root', 'must be an address of the site')
  return { site: visited.site, oidc, location: returnLocation(parts.slice(own), new URL(url).search) }
}

/** The path of a site in a browser, without a slash at its end. */
export function trimmed(root: string): string {
  return root.replace(/\/+$/, '')
}

/** Where the provider sends visitors back to. */
export function callbackAt(root: string): string {
  return `${trimmed(root)}/${visitorSignInPaths.callback}`
}

/** The failure of a site that has no provider. */
export function noProvider(): Failure {
  return new Failure('not_found', 'This site signs no visitors in by a provider')
}
