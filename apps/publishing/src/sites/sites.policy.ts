import { atLeast, membershipIn, type Actor, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'
import type { SiteRow } from './site.entity.ts'

type Can = (role: Role | null) => boolean

/** See the sites of an organization with their settings: its members, and no guests. */
export const canViewSites: Can = role => atLeast(role, 'read')
/** Create, change, publish and unpublish sites. */
export const canManageSites: Can = role => atLeast(role, 'create')
export const canDeleteSites: Can = role => atLeast(role, 'admin')

/** The role of the caller in an organization; throws `not_found` to others, and `forbidden` when it does not allow something. */
export function requireRole(actor: Actor, organization: string, can: Can): Role | null {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  if (!can(membership.role)) throw roleForbids(membership.role)
  return membership.role
}

/** A site that the caller may see, of this organization; throws `not_found` otherwise, and `forbidden` when their role does not allow something. */
export function requireSite<Site extends SiteRow>(
  actor: Actor,
  site: Site | undefined,
  { organization, can }: { organization: string; can: Can },
): Site {
  const role = membershipIn(actor, organization)?.role ?? null
  if (site?.organizationId !== organization || !canViewSites(role))
    throw new Failure('not_found', 'There is no such site')
  if (!can(role)) throw roleForbids(role)
  return site
}

function roleForbids(role: Role | null): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}
