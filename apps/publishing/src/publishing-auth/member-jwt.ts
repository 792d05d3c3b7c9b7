import { roles } from '@recto/actor'
import { verifyVisitorClaims } from '@recto/actor/visitor-claims'
import type { Secrets } from '@recto/operation'
import type { SiteGrants, SiteWithLevel } from '../site-access/site-access.policy.ts'
import { admitMember, refusalOf, type MemberClaimMapping } from './member-claims.rules.ts'
import type { VisitorJwt } from './visitor-jwt.ts'

/** A site, and where the installation is whose members it lets in. */
interface MembersSite {
  site: SiteWithLevel & { adaptiveContent: boolean }
  grants: SiteGrants
  /** How members sign in on it, where they do. */
  members: { claims: MemberClaimMapping | null } | undefined
  publicUrl: string
}

/**
 * Verifies the JWT with which identity says to the sites of an organization who a member is. Whoever has a role on a site reads it, guests
 * by a grant alone. Conditions see `sub` (the id of the user), `email`, `name`, `organization`, `role` and `teams` (ids), or what the site
 * makes of them: it is the same however a member came.
 */
export async function verifyMemberJwt(
  token: string,
  { site, grants, members, publicUrl }: MembersSite,
  secret: Secrets,
): Promise<VisitorJwt> {
  const { organizationId: organization } = site
  const claims = await verifyVisitorClaims(token, { organization, publicUrl }, secret)
  if (claims === 'expired') return { refusal: 'The login has expired' }
  if (!claims) return { refusal: 'The login is not valid' }
  const { sub: user, email, name, teams } = claims
  const role = roles.find(each => each === claims.role) ?? null
  const member = { user, email, name, role, teams }
  if (members) return admitMember(member, { site, grants, mapping: members.claims })
  const refusal = refusalOf(member, { site, grants })
  return refusal === undefined ? { claims: { ...claims } } : { refusal }
}
