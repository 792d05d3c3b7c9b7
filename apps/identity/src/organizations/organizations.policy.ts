import { atLeast, membershipIn, type Actor } from '@recto/operation'

/** Members and guests see an organization; to everybody else it does not exist. */
export function canViewOrganization(actor: Actor, organization: string): boolean {
  return membershipIn(actor, organization) !== undefined
}

export function canAdministerOrganization(actor: Actor, organization: string): boolean {
  return atLeast(membershipIn(actor, organization)?.role, 'admin')
}

/** What the caller may do, as replies show it: the same predicates that guard the operations. */
export function organizationPermissions(actor: Actor, organization: string) {
  const role = membershipIn(actor, organization)?.role
  const admin = canAdministerOrganization(actor, organization)
  const create = atLeast(role, 'create')
  const member = role != null
  return {
    view: canViewOrganization(actor, organization),
    admin,
    ownTeam: false,
    createContent: create,
    createOpenAPISpec: create,
    ingestConversations: false,
    viewBilling: false,
    listMembers: member,
    listTeams: member,
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  }
}
