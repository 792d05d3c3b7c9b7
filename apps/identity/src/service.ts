import type { Actor } from '@recto/actor'
import { busClient } from '@recto/bus'
import { api, calls } from '@recto/contracts'
import { compose } from '@recto/operation'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { ensureAdministrator } from './administrator.ts'
import { signingOf, type Config } from './shared/config'
import type { BaseContext } from './shared/context'
import { identityDatabase } from './database.ts'
import { inviteFeature } from './features/invites/invites.handlers'
import { memberFeature } from './features/members/members.handlers'
import { visitorKey } from './members/visitor-claims.ts'
import { organizationFeature } from './features/organizations/organizations.handlers'
import { peopleFeature } from './rpc/people.handlers'
import { samlFeature } from './features/saml/saml.handlers'
import { serviceFeature } from './features/service-information/service-information.handlers'
import { teamMemberFeature } from './features/teams/team-members.handlers'
import { teamFeature } from './features/teams/teams.handlers'
import { callFeature } from './rpc/tokens.handlers'
import { userFeature } from './features/users/users.handlers'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
}

/** Starts identity: users, tokens, organizations and who belongs to them. */
export async function startIdentity(config: Config, parts: Parts): Promise<RunningService> {
  const sso = { publicUrl: config.PUBLIC_URL, signing: signingOf(config), tokenTtl: config.SSO_TOKEN_TTL }
  const own = {
    publicUrl: config.PUBLIC_URL,
    build: config.BUILD,
    visitorKey: visitorKey(config.SIGNING_SECRET),
    sso,
    log: parts.log,
  }
  const clients: { content?: BaseContext['content'] } = {}
  const service = await startDatabaseService<BaseContext, Actor>({
    name: 'identity',
    natsUrl: config.NATS_URL,
    database: identityDatabase(config.DATABASE_URL_IDENTITY, config.DATABASE_POOL),
    api: compose<BaseContext>()(api.identity, [
      serviceFeature,
      userFeature,
      organizationFeature,
      memberFeature,
      teamFeature,
      teamMemberFeature,
      inviteFeature,
      samlFeature,
    ]),
    calls: compose<BaseContext>()(calls.identity, [callFeature, peopleFeature]),
    context: (base, { bus }) => ({
      ...base,
      ...own,
      cursorKey: () => `${config.SIGNING_SECRET}:${base.requestFingerprint()}`,
      content: (clients.content ??= busClient(bus, calls.content, { service: 'content' })),
    }),
    ...parts,
  })
  const token = await ensureAdministrator(service.db, { token: config.ADMIN_TOKEN, email: config.ADMIN_EMAIL })
  // Shown once, on purpose past the log, which must never hold a token.
  if (token) process.stdout.write(`First administrator's token (shown once): ${token}\n`)
  return service
}
