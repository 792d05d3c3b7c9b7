import type { rights } from '@recto/contracts'
import { atLeast, membershipIn, roles, type Actor, type Membership, type Role } from '@recto/actor'
import { Failure } from '@recto/operation'

/** A question to the caller's standing in an organization. */
export type Can = (membership: Membership) => boolean

/** Settings, members, invites, teams and SAML providers. */
export const canAdminister: Can = ({ role }) => atLeast(role, 'admin')

/** Guests see what they are granted, and nobody else. */
export const canListPeople: Can = ({ role }) => role !== null

/** Everybody sees themself; others are seen by members. */
export function canSeePerson(actor: Actor, membership: Membership, userId: string): boolean {
  return userId === actor.userId || canListPeople(membership)
}

const canCreateContent: Can = ({ role }) => atLeast(role, 'create')
const never: Can = () => false

/** What the booleans of an organization's `permissions` ask for; the operations that they name, by `rights` of the contract, ask for the same. */
const organizationCan = {
  view: () => true,
  admin: canAdminister,
  createContent: canCreateContent,
  createOpenAPISpec: canCreateContent,
  ingestConversations: never,
  viewBilling: never,
  listMembers: canListPeople,
  listTeams: canListPeople,
  listIntegrations: never,
  listInstallations: never,
  installIntegration: never,
} as const satisfies Record<Exclude<keyof typeof rights.organization, 'ownTeam'>, Can>

/** The caller's membership: guests have one too. Throws `not_found` to those outside, and `forbidden` to those whose role does not allow it. */
export function requireIn(actor: Actor, organization: string, can: Can = () => true): Membership {
  const membership = membershipIn(actor, organization)
  if (!membership) throw new Failure('not_found', 'There is no such organization')
  if (!can(membership)) throw notAllowed(membership)
  return membership
}

/** Unlike `membershipIn` it asks for no single sign-on: the caller belongs there either way. */
export function isMember({ memberships, ssoRequired = [] }: Actor, organization: string): boolean {
  return ssoRequired.includes(organization) || memberships.some(membership => membership.organization === organization)
}

/** What a member hears whose role is too low. */
export function notAllowed({ role }: Membership): Failure {
  return new Failure('forbidden', role === null ? 'Guests may not do this' : `The role ${role} does not allow this`)
}

/** Nobody grants a role above their own; a guest's place is below every role. */
export function canGrant({ role }: Membership, granted: Role | null): boolean {
  return granted === null || (role !== null && roles.indexOf(granted) <= roles.indexOf(role))
}

/** A token of an organization's single sign-on is worth nothing outside of that organization. */
export function requireWholeAccount(actor: Actor): void {
  if (actor.sso) throw new Failure('forbidden', 'A token from single sign-on can be used in its organization only')
}

/** What the caller may do, as replies show it; nothing for who does not belong there. */
export function organizationPermissions(membership: Membership | undefined, { ownsTeam }: { ownsTeam: boolean }) {
  const may = (right: keyof typeof organizationCan): boolean =>
    membership !== undefined && organizationCan[right](membership)
  return {
    view: may('view'),
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
