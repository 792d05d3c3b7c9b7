import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { LinkInviteUseEntity } from './invites/link-invite-use.entity.ts'
import { LinkInviteEntity } from './invites/link-invite.entity.ts'
import { PendingInviteEntity } from './invites/pending-invite.entity.ts'
import { PendingTeamMemberEntity } from './invites/pending-team-member.entity.ts'
import { MemberEntity } from './members/member.entity.ts'
import { CreateIdentity1763600000000 } from './migrations/1763600000000-create-identity.ts'
import { People1763700000000 } from './migrations/1763700000000-people.ts'
import { OutboxTrace1764000000000 } from './migrations/1764000000000-outbox-trace.ts'
import { Idempotency1764050000000 } from './migrations/1764050000000-idempotency.ts'
import { MergeRules1764400000000 } from './migrations/1764400000000-merge-rules.ts'
import { DefaultSite1764800000000 } from './migrations/1764800000000-default-site.ts'
import { AssertedEmails1765650000000 } from './migrations/1765650000000-asserted-emails.ts'
import { SignInOrigins1765700000000 } from './migrations/1765700000000-sign-in-origins.ts'
import { RecordedChanges1766900000000 } from './migrations/1766900000000-recorded-changes.ts'
import { ServiceAccounts1766950000000 } from './migrations/1766950000000-service-accounts.ts'
import { OidcSignIn1767000000000 } from './migrations/1767000000000-oidc-sign-in.ts'
import { OidcLogoutEntity } from './oidc/logout.entity.ts'
import { OidcProviderEntity } from './oidc/provider.entity.ts'
import { OidcSignInEntity } from './oidc/sign-in.entity.ts'
import { Scim1767000000100 } from './migrations/1767000000100-scim.ts'
import { OAuth1767100000000 } from './migrations/1767100000000-oauth.ts'
import { LimitedTokens1767200000000 } from './migrations/1767200000000-limited-tokens.ts'
import { OrganizationEntity } from './organizations/organization.entity.ts'
import { OAuthArtifactEntity } from './oauth/artifact.entity.ts'
import { OAuthClientEntity } from './grants/client.entity.ts'
import { OAuthGrantEntity } from './grants/grant.entity.ts'
import { OAuthSessionEntity } from './oauth/session.entity.ts'
import { SamlAssertionEntity } from './saml/assertion.entity.ts'
import { SamlProviderEntity } from './saml/provider.entity.ts'
import { SamlRequestEntity } from './saml/request.entity.ts'
import { ScimGroupEntity } from './scim/scim-group.entity.ts'
import { ScimUserEntity } from './scim/scim-user.entity.ts'
import { TeamMemberEntity } from './teams/team-member.entity.ts'
import { TeamEntity } from './teams/team.entity.ts'
import { TokenEntity } from './users/token.entity.ts'
import { UserEntity } from './users/user.entity.ts'

const people = [UserEntity, TokenEntity, OrganizationEntity, MemberEntity, TeamEntity, TeamMemberEntity]
const invites = [PendingInviteEntity, PendingTeamMemberEntity, LinkInviteEntity, LinkInviteUseEntity]
const oidc = [OidcProviderEntity, OidcSignInEntity, OidcLogoutEntity]
const saml = [SamlProviderEntity, SamlRequestEntity, SamlAssertionEntity]
const oauth = [OAuthClientEntity, OAuthGrantEntity, OAuthSessionEntity, OAuthArtifactEntity]
const scim = [ScimUserEntity, ScimGroupEntity]

/** Entities and migrations of the identity database. */
export function identityDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  return {
    url,
    ...limits,
    entities: [...people, ...invites, ...saml, ...oidc, ...scim, ...oauth, ...serviceEntities],
    migrations: [
      CreateIdentity1763600000000,
      People1763700000000,
      OutboxTrace1764000000000,
      Idempotency1764050000000,
      MergeRules1764400000000,
      DefaultSite1764800000000,
      AssertedEmails1765650000000,
      SignInOrigins1765700000000,
      RecordedChanges1766900000000,
      ServiceAccounts1766950000000,
      OidcSignIn1767000000000,
      Scim1767000000100,
      OAuth1767100000000,
      LimitedTokens1767200000000,
    ],
  }
}
