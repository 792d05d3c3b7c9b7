import { atLeast, roleForbids, type Role, type RoleCheck } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { SiteRow } from './site.entity.ts'

/** See a site with its settings. */
export const canViewSites: RoleCheck = role => atLeast(role, 'read')
/** Create sites, by the role in the organization; change, publish and unpublish one, by the role on it. */
export const canManageSites: RoleCheck = role => atLeast(role, 'create')
export const canDeleteSites: RoleCheck = role => atLeast(role, 'admin')

/** The site of this organization when the role on it lets one see it; throws `not_found` otherwise, and `forbidden` when the role does not allow something. */
export function requireSite<Site extends SiteRow>(
  role: Role | null,
  site: Site | undefined,
  { organization, can }: { organization: string; can: RoleCheck },
): Site {
  if (site?.organizationId !== organization || !canViewSites(role))
    throw new Failure('not_found', 'There is no such site')
  if (!can(role)) throw roleForbids(role)
  return site
}
