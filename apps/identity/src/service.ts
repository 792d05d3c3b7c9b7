import { api, calls } from '@recto/contracts'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { ensureAdministrator } from './administrator.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { identityDatabase } from './database.ts'
import { organizationHandlers } from './organizations/organizations.handlers.ts'
import { serviceHandlers } from './service-information.handlers.ts'
import { callHandlers } from './tokens/tokens.handlers.ts'
import { userHandlers } from './users/users.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
}

/** Starts identity: users, tokens, organizations and who belongs to them. */
export async function startIdentity(config: Config, parts: Parts): Promise<RunningService> {
  const own = { publicUrl: config.PUBLIC_URL, signingSecret: config.SIGNING_SECRET, build: config.BUILD }
  const service = await startDatabaseService<Context>({
    name: 'identity',
    natsUrl: config.NATS_URL,
    database: identityDatabase(config.DATABASE_URL_IDENTITY, config.DATABASE_POOL),
    api: { operations: api.identity, handlers: { ...serviceHandlers, ...userHandlers, ...organizationHandlers } },
    calls: { operations: calls.identity, handlers: callHandlers },
    context: base => ({ ...base, ...own }),
    ...parts,
  })
  const token = await ensureAdministrator(service.db, { token: config.ADMIN_TOKEN, email: config.ADMIN_EMAIL })
  // Shown once, on purpose past the log, which must never hold a token.
  if (token) process.stdout.write(`First administrator's token (shown once): ${token}\n`)
  return service
}
