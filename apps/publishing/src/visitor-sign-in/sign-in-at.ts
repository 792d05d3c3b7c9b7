import { visitorSignInPaths } from '@recto/contracts-publishing'
import type { Db } from '@recto/database'
import { Failure, fieldFault } from '@recto/operation'
import { findSiteAtUrl } from '../lookup/find-site-at-url.ts'
import type { MemberVisitorsRow } from '../publishing-auth/member-visitors.entity.ts'
import * as memberVisitors from '../publishing-auth/member-visitors.repository.ts'
import type { SiteOidcRow } from '../publishing-auth/site-oidc.entity.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import type { SiteGrants } from '../site-access/site-access.policy.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import { isMemberRoot, isSiteRoot } from '../visitor-sessions/site-roots.rules.ts'
import { returnLocation } from './return-location.rules.ts'

/** The context of operations that sign visitors in and out. */
export type SignInContext = BaseContext & { visitedSites: VisitedSites }

/** A site that signs its visitors in: by a provider, or as members of the organization. */
export interface SignInAt {
  site: SiteRow
  grants: SiteGrants
  way: { oidc: SiteOidcRow } | { members: MemberVisitorsRow }
  /** The path below the site that a visitor asked for. */
  location: string
}

/** How the site at an address signs visitors in. Throws `not_found` where there is none, and names the field where the site is not at `root`. */
export async function signInAt(
  { url, root }: { url: string; root: string },
  context: SignInContext,
): Promise<SignInAt> {
  const { visited, parts, own } = await findSiteAtUrl(url, undefined, context)
  const way = await findWay(context.db, visited.site.id)
  if (!way || visited.site.visibility === 'share-link') throw signsNobodyIn()
  requireSiteRoot(root, visited.site, { way, context })
  const location = returnLocation(parts.slice(own), new URL(url).search)
  return { site: visited.site, grants: visited.grants, way, location }
}

/** Refuses an address that is none of the site, or none at which its members sign in, naming the field. */
function requireSiteRoot(
  root: string,
  site: SiteRow,
  { way, context }: { way: SignInAt['way']; context: SignInContext },
): void {
  if (!isSiteRoot(root, site, context)) throw fieldFault('body.root', 'must be an address of the site')
  if ('members' in way && !isMemberRoot(root, site, context))
    throw fieldFault(
      'body.root',
      'must not be behind the proxy of the site, nor at a port of another program: members sign in at its own hosts',
    )
}

async function findWay(db: Db, siteId: string): Promise<SignInAt['way'] | undefined> {
  const oidc = await siteOidc.find(db, siteId)
  if (oidc) return { oidc }
  const members = await memberVisitors.find(db, siteId)
  return members && { members }
}

/** The version of how a site signs visitors in: another one after each change. */
export function versionOf(way: SignInAt['way']): string {
  return 'oidc' in way ? way.oidc.version : way.members.version
}

/** The path of a site in a browser, without a slash at its end. */
export function trimmed(root: string): string {
  return root.replace(/\/+$/, '')
}

/** Where the provider sends visitors back to. */
export function callbackAt(root: string): string {
  return `${trimmed(root)}/${visitorSignInPaths.callback}`
}

/** The failure of a site that signs nobody in. */
export function signsNobodyIn(): Failure {
  return new Failure('not_found', 'This site signs no visitors in')
}
