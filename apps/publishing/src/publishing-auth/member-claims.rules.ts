import type { MemberClaims } from '@recto/actor/visitor-claims'
import { memberActor } from '@recto/actor'
import type { VisitingMember as Visiting } from '@recto/contracts-identity-bus'
import { memberClaimNames } from '@recto/contracts-publishing'
import { decideSiteRole, type SiteGrants, type SiteWithLevel } from '../site-access/site-access.policy.ts'
import { providerClaims, type ProviderClaims } from './provider-claims.rules.ts'

/** Claims of visitors by name, each with which one of the member it is. */
export type MemberClaimMapping = Record<string, keyof MemberClaims>

/** A member of an organization, as identity says it. */
export type VisitingMember = Omit<Visiting, 'session' | 'endsAt'>

/** Each claim under its own name. */
const identical = Object.fromEntries(memberClaimNames.map(name => [name, name]))

/** The claims that a member has as a visitor: those with which they come by a link of `ping`, or what a site makes of them. */
export function memberClaims(
  { user: sub, email, name, role, teams }: VisitingMember,
  organization: string,
  mapping: MemberClaimMapping | null,
): ProviderClaims {
  const claims: MemberClaims = { sub, email, name, organization, role: role ?? 'guest', teams }
  return providerClaims({ ...claims }, mapping ?? identical)
}

/** A site that members of its organization read. */
interface MembersSite {
  site: SiteWithLevel & { adaptiveContent: boolean }
  grants: SiteGrants
  mapping: MemberClaimMapping | null
}

/** The claims with which a member reads a site, or why they do not; null is somebody whose session has ended, or who is no member any more. */
export function admitMember(member: VisitingMember | null, { site, grants, mapping }: MembersSite): ProviderClaims {
  if (!member) return { refusal: 'The login has ended' }
  const refusal = refusalOf(member, { site, grants })
  if (refusal !== undefined) return { refusal }
  // Without adaptive content nothing depends on claims: none that are too large close the site.
  return site.adaptiveContent ? memberClaims(member, site.organizationId, mapping) : { claims: {} }
}

/** Why a member does not see a site; undefined for whoever has a role on it, guests by a grant alone. */
export function refusalOf(
  { user, role, teams }: Pick<VisitingMember, 'user' | 'role' | 'teams'>,
  { site, grants }: { site: SiteWithLevel; grants: SiteGrants },
): string | undefined {
  const actor = memberActor(user, { organization: site.organizationId, role, teams })
  if (decideSiteRole(actor, site, grants).role !== null) return undefined
  return `${role === null ? 'Guests' : 'Members'} of the organization do not see this site`
}
