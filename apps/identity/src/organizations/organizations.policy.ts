import type { rights } from '@recto/contracts-shared'
import { atLeast, requireMember, roleForbids, roles, type Actor, type Membership, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** Whether a membership allows something. */
export type MembershipCheck = (membership: Membership) => boolean

/** May manage settings, members, invites, teams and SAML providers. */
export const canAdminister: MembershipCheck = ({ role }) => atLeast(role, 'admin')

/** May list members and teams; guests may not. */
export const canListMembers: MembershipCheck = ({ role }) => role !== null

/** Members learn the settings of the organization; guests, and those whose token it refuses, do not. */
export function seesSettings(membership: Membership | undefined): boolean {
  return membership !== undefined && membership.role !== null
}

/** Guests see only themselves; members see everybody in the organization. */
export function canSeeMember(actor: Actor, membership: Membership, userId: string): boolean {
  return userId === actor.userId || canListMembers(membership)
}

const canCreateContent: MembershipCheck = ({ role }) => atLeast(role, 'create')
const never: MembershipCheck = () => false

/** The check behind each boolean of an organization's `permissions`, and behind the operations that `rights` of the contract maps to it. */
const organizationCan = {
  view: () => true,
  access: () => true,
  admin: canAdminister,
  createContent: canCreateContent,
  createOpenAPISpec: canCreateContent,
  ingestConversations: never,
  viewBilling: never,
  listMembers: canListMembers,
  listTeams: canListMembers,
  listIntegrations: never,
  listInstallations: never,
  installIntegration: never,
} as const satisfies Record<Exclude<keyof typeof rights.organization, 'ownTeam'>, MembershipCheck>

/** The caller's membership; guests have one too. Throws `not_found` to non-members, and `forbidden` when the check fails. */
export function requireMembership(actor: Actor, organization: string, can: MembershipCheck = () => true): Membership {
  const membership = requireMember(actor, organization)
  if (!can(membership)) throw roleForbids(membership.role)
  return membership
}

/** Whether the caller belongs to the organization, even where its single sign-on is required and their token does not come from it. */
export function isMemberIgnoringSso({ memberships, ssoRequired = [] }: Actor, organization: string): boolean {
  return ssoRequired.includes(organization) || memberships.some(membership => membership.organization === organization)
}

/** Whether a member may grant a role: none above their own. Guests (`null`) rank below every role. */
export function canGrant({ role }: Membership, granted: Role | null): boolean {
  return granted === null || (role !== null && roles.indexOf(granted) <= roles.indexOf(role))
}

/** Throws `forbidden` to tokens that are valid in one organization only: those issued by single sign-on, and those of service accounts. */
export function refuseOrganizationToken(actor: Actor): void {
  if (actor.serviceAccount) throw new Failure('forbidden', 'A service account belongs to its organization only')
  if (actor.sso) throw new Failure('forbidden', 'A token issued by single sign-on is valid in its organization only')
}

/** The `permissions` of an organization in replies; all false for non-members. */
export function organizationPermissions(membership: Membership | undefined, { ownsTeam }: { ownsTeam: boolean }) {
  const may = (right: keyof typeof organizationCan): boolean =>
    membership !== undefined && organizationCan[right](membership)
  return {
    view: may('view'),
    access: may('access'),
    admin: may('admin'),
    ownTeam: membership !== undefined && ownsTeam,
    createContent: may('createContent'),
    createOpenAPISpec: may('createOpenAPISpec'),
    ingestConversations: may('ingestConversations'),
    viewBilling: may('viewBilling'),
    listMembers: may('listMembers'),
    listTeams: may('listTeams'),
    listIntegrations: may('listIntegrations'),
    listInstallations: may('listInstallations'),
    installIntegration: may('installIntegration'),
  }
}
