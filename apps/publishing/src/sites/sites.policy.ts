import { atLeast, membershipIn, roleForbids, type Actor, type RoleCheck } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { SiteRow } from './site.entity.ts'

/** See the sites of an organization with their settings: its members, and no guests. */
export const canViewSites: RoleCheck = role => atLeast(role, 'read')
/** Create, change, publish and unpublish sites. */
export const canManageSites: RoleCheck = role => atLeast(role, 'create')
export const canDeleteSites: RoleCheck = role => atLeast(role, 'admin')

/** A site that the caller may see, of this organization; throws `not_found` otherwise, and `forbidden` when their role does not allow something. */
export function requireSite<Site extends SiteRow>(
  actor: Actor,
  site: Site | undefined,
  { organization, can }: { organization: string; can: RoleCheck },
): Site {
  const role = membershipIn(actor, organization)?.role ?? null
  if (site?.organizationId !== organization || !canViewSites(role))
    throw new Failure('not_found', 'There is no such site')
  if (!can(role)) throw roleForbids(role)
  return site
}
