import { busClient, connectBus, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { identityApi } from '@recto/contracts-identity'
import { identityRpc } from '@recto/contracts-identity-bus'
import { migrate } from '@recto/database'
import { hashToken, type Actor } from '@recto/actor'
import type { RunningService } from '@recto/service'
import { createLog, type Log } from '@recto/telemetry'
import { aDatabase, aNatsServer, waitLimit } from '@recto/testing'
import { config } from '../shared/config.ts'
import { identityDatabase } from '../database.ts'
import { startIdentity } from '../service.ts'

export const adminToken = 'a-token-of-the-first-administrator-for-tests'

const names = ['gateway', 'identity', 'content', 'publishing'] as const

/** The real service with its own database and bus, and clients of it. */
export interface IdentitySetup {
  service: RunningService
  gateway: Bus
  /** A client that authenticates with the token. */
  as(token: string): Promise<IdentityClient>
  actorOf(token: string): Promise<Actor | null>
  /** Connects as another service, with its permissions on the bus. */
  connectAs(service: (typeof names)[number]): Promise<Bus>
  stop(): Promise<void>
}

interface SetupOptions {
  /** Additional settings. */
  environment?: Record<string, string>
  log?: Log
}

export async function anIdentity({
  environment = {},
  log = createLog({ service: 'identity', level: 'silent' }),
}: SetupOptions = {}): Promise<IdentitySetup> {
  const nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  const database = await aDatabase({
    template: 'identity',
    migrate: async url => void (await migrate(identityDatabase(url))),
  })
  const settings = config({
    NATS_URL: nats.urlFor('identity'),
    CALL_TIMEOUT: String(waitLimit),
    DATABASE_URL_IDENTITY: database.url,
    DATABASE_POOL: '5',
    DATABASE_WAIT: String(waitLimit),
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
    ADMIN_TOKEN: adminToken,
    ADMIN_EMAIL: 'admin@recto.test',
    BUILD: 'test',
    ...environment,
  })
  const service = await startIdentity(settings, { log, strict: true })
  const connectAs = (name: (typeof names)[number]) =>
    connectBus({ url: nats.urlFor(name), service: name, callTimeout: waitLimit })
  const gateway = await connectAs('gateway')
  const { resolveToken } = busClient(gateway, identityRpc, { service: 'identity' })
  const actorOf = async (token: string) =>
    (await resolveToken({ body: { hash: hashToken(token), knowsLimits: true } })).actor
  return {
    service,
    gateway,
    actorOf,
    connectAs,
    as: async token => clientFor(gateway, await actorOf(token)),
    stop: async () => {
      await gateway.drain()
      await service.stop()
      await database.drop()
      await nats.stop()
    },
  }
}

/** A client of all operations of identity. */
export type IdentityClient = ReturnType<typeof clientFor>

function clientFor(gateway: Bus, actor: Actor | null) {
  return busClient(gateway, identityApi, { service: 'identity', prefix: 'api', ...(actor && { actor }) })
}
