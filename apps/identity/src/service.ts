import type { Actor } from '@recto/actor'
import { busClient } from '@recto/bus'
import { identityApi, identityOAuth, identityScim } from '@recto/contracts-identity'
import { identityRpc } from '@recto/contracts-identity-bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { publishingRpc } from '@recto/contracts-publishing-bus'
import { refusedToMember } from '@recto/contracts-shared'
import { createOpenIdClient } from '@recto/openid'
import { compose } from '@recto/operation'
import { busSettings, databaseLimits, type RunningService, startDatabaseService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { ensureAdministrator } from './users/administrator.ts'
import { samlSigningKey, type Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'
import { identityDatabase } from './database.ts'
import { inviteFeature } from './invites/invites.handlers.ts'
import { memberFeature } from './members/members.handlers.ts'
import { oauthFeature } from './oauth/oauth.handlers.ts'
import { oauthDocumentFeature, oauthEndpointFeature } from './oauth/oauth-endpoints.handlers.ts'
import { createOAuthServer } from './oauth/server.ts'
import { visitCallFeature } from './oauth/visit-calls.handlers.ts'
import { oidcFeature } from './oidc/oidc.handlers.ts'
import { organizationFeature } from './organizations/organizations.handlers.ts'
import { peopleCallsFeature } from './members/people-calls.handlers.ts'
import { samlFeature } from './saml/saml.handlers.ts'
import { scimDiscoveryFeature } from './scim/scim-discovery.handlers.ts'
import { scimGroupFeature } from './scim/scim-groups.handlers.ts'
import { scimUserFeature } from './scim/scim-users.handlers.ts'
import { serviceAccountFeature } from './service-accounts/service-accounts.handlers.ts'
import { serviceFeature } from './service-information/service-information.handlers.ts'
import { teamMemberFeature } from './teams/team-members.handlers.ts'
import { teamFeature } from './teams/teams.handlers.ts'
import { tokenCallsFeature } from './members/token-calls.handlers.ts'
import { userFeature } from './users/users.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
}

/** Starts the identity service: users, tokens, organizations and their members. */
export async function startIdentity(config: Config, parts: Parts): Promise<RunningService> {
  const sso = { publicUrl: config.PUBLIC_URL, signing: samlSigningKey(config), tokenTtl: config.SSO_TOKEN_TTL }
  const { OUTGOING_ALLOW: allow, OIDC_TIMEOUT: timeoutMs } = config
  const openId = createOpenIdClient({ allow, timeoutMs })
  const own = {
    publicUrl: config.PUBLIC_URL,
    build: config.BUILD,
    signingSecret: config.SIGNING_SECRET,
    sso,
    openId,
    oauth: createOAuthServer(config),
    oauthTtl: {
      grant: config.OAUTH_GRANT_TTL,
      sessionIdle: config.SESSION_IDLE_TTL,
      session: config.SESSION_TTL,
    },
    log: parts.log,
  }
  const service = await startDatabaseService<BaseContext, Actor>({
    name: 'identity',
    ...busSettings(config),
    secret: config.SIGNING_SECRET,
    database: identityDatabase(config.DATABASE_URL_IDENTITY, databaseLimits(config)),
    refused: refusedToMember('identity'),
    api: compose<BaseContext>()({ ...identityApi, ...identityScim, ...identityOAuth }, [
      serviceFeature,
      userFeature,
      organizationFeature,
      memberFeature,
      teamFeature,
      teamMemberFeature,
      inviteFeature,
      samlFeature,
      scimUserFeature,
      scimGroupFeature,
      scimDiscoveryFeature,
      serviceAccountFeature,
      oidcFeature,
      oauthFeature,
      oauthEndpointFeature,
      oauthDocumentFeature,
    ]),
    calls: compose<BaseContext>()(identityRpc, [tokenCallsFeature, peopleCallsFeature, visitCallFeature]),
    build({ bus }) {
      const clients = {
        content: busClient(bus, contentRpc, { service: 'content' }),
        publishing: busClient(bus, publishingRpc, { service: 'publishing' }),
      }
      return { context: base => ({ ...base, ...own, ...clients }), stop: () => openId.close() }
    },
    ...parts,
  })
  const token = await ensureAdministrator(service.db, { token: config.ADMIN_TOKEN, email: config.ADMIN_EMAIL })
  // Printed and not logged, since the log must never contain a token.
  if (token) process.stdout.write(`First administrator's token (shown once): ${token}\n`)
  return service
}
