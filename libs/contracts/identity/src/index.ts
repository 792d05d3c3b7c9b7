import { invites } from './invites.ts'
import { members } from './members.ts'
import { oauthApi } from './oauth.ts'
import { oidc } from './oidc.ts'
import { organizations } from './organizations.ts'
import { saml } from './saml.ts'
import { serviceAccounts } from './service-accounts.ts'
import { service } from './service.ts'
import { teamMembers } from './team-members.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

export * from './invites.ts'
export * from './members.ts'
export * from './oidc.ts'
export * from './oauth.ts'
export * from './oauth-protocol.ts'
export * from './organizations.ts'
export * from './redirect-uri.ts'
export * from './saml.ts'
export * from './scim.ts'
export * from './scim-protocol.ts'
export * from './service-accounts.ts'
export * from './service.ts'
export * from './team-members.ts'
export * from './teams.ts'
export * from './users.ts'

/** Operations of the API that identity answers. */
export const identityApi = {
  ...service,
  ...users,
  ...organizations,
  ...members,
  ...teams,
  ...teamMembers,
  ...invites,
  ...saml,
  ...serviceAccounts,
  ...oidc,
  ...oauthApi,
}
