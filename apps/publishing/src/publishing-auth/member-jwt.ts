import { memberActor, roles } from '@recto/actor'
import { verifyVisitorClaims } from '@recto/actor/visitor-claims'
import type { Secrets } from '@recto/operation'
import { decideSiteRole, type SiteGrants, type SiteWithLevel } from '../site-access/site-access.policy.ts'
import type { VisitorJwt } from './visitor-jwt.ts'

/** A site, and where the installation is whose members it lets in. */
interface MembersSite {
  site: SiteWithLevel
  grants: SiteGrants
  publicUrl: string
}

/**
 * Verifies the JWT with which identity says to the sites of an organization who a member is. Whoever has a role on a site reads it, guests
 * by a grant alone. Conditions see `sub` (the id of the user), `email`, `name`, `organization`, `role` and `teams` (ids).
 */
export async function verifyMemberJwt(
  token: string,
  { site, grants, publicUrl }: MembersSite,
  secret: Secrets,
): Promise<VisitorJwt> {
  const { organizationId: organization } = site
  const claims = await verifyVisitorClaims(token, { organization, publicUrl }, secret)
  if (claims === 'expired') return { refusal: 'The login has expired' }
  if (!claims) return { refusal: 'The login is not valid' }
  const role = roles.find(name => name === claims.role) ?? null
  const actor = memberActor(claims.sub, { organization, role, teams: claims.teams })
  if (decideSiteRole(actor, site, grants).role !== null) return { claims: { ...claims } }
  return { refusal: `${role === null ? 'Guests' : 'Members'} of the organization do not see this site` }
}
