import { visitorSignInPaths } from '@recto/contracts-publishing'
import { siteRoots } from '../visitor-sessions/site-roots.rules.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import type { SiteOidcRow } from './site-oidc.entity.ts'

/** Where the API, sites and the reader of the installation are. */
interface Places {
  publicUrl: string
  sitesUrl: string
  readerUrl?: string | undefined
}

/** The provider of a site without its secret, and the addresses that it has to know. */
export function presentProvider(
  { issuer, clientId, clientSecret, scopes, claims }: SiteOidcRow,
  { site, logoutUrl }: { site: SiteRow; logoutUrl: string | null },
  { publicUrl, ...places }: Places,
) {
  const roots = siteRoots(site, places)
  return {
    issuer,
    clientId,
    hasClientSecret: clientSecret !== null,
    scopes,
    ...(claims !== null && { claims }),
    redirectURLs: roots.map(root => `${root}/${visitorSignInPaths.callback}`),
    postLogoutRedirectURLs:
      logoutUrl === null ? roots.map(root => `${root}/${visitorSignInPaths.signedOut}`) : [logoutUrl],
    backchannelLogoutURL: `${publicUrl}/v1/orgs/${site.organizationId}/sites/${site.id}/publishing/auth/logout`,
  }
}
