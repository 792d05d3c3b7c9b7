import { busClient, connectBus, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { publishingApi } from '@recto/contracts-publishing'
import { migrate } from '@recto/database'
import type { Actor, LimitedTo, Role } from '@recto/actor'
import type { RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, aNatsServer, waitLimit } from '@recto/testing'
import { publishingDatabase } from '../database.ts'
import { startPublishing } from '../service.ts'
import { config } from '../shared/config.ts'
import { aContentResponder, type ContentResponder } from './content-responder.ts'

export const organization = 'anOrganization'
export const publicUrl = 'http://recto.test'
export const secret = 'a-secret-for-tests-of-32-characters-or-more'

const names = ['gateway', 'content', 'identity', 'openapi-specs', 'git-worker', 'publishing'] as const

/** The real service with a database and a bus of its own, and callers of it. */
export interface PublishingSetup {
  service: RunningService
  gateway: Bus
  /** The connection of content, whose events publishing consumes. */
  contentBus: Bus
  /** The spaces of the organization, as content knows them. */
  content: ContentResponder
  /** A client in the name of a member with this role; undefined is an outsider, null a guest. */
  as(role: Role | null | undefined, user?: string, teams?: string[]): ReturnType<typeof clientFor>
  /** A client with a token of an admin that is limited to resources. */
  asLimited(limitedTo: LimitedTo): ReturnType<typeof clientFor>
  /** A client without a token. */
  anonymous: ReturnType<typeof clientFor>
  natsUrlFor(service: string): string
  /** Starts the service once more on the same database and bus, with other settings; it is stopped with everything. */
  startReplica(environment?: Record<string, string>): Promise<RunningService>
  stop(): Promise<void>
}

type Parts = Parameters<typeof startPublishing>[1]

/** Starts everything; `environment` replaces settings of the service, `parts` what it is made of. */
export async function aPublishing(
  environment: Record<string, string> = {},
  parts: Partial<Parts> = {},
): Promise<PublishingSetup> {
  const nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  const database = await aDatabase({
    template: 'publishing',
    migrate: async url => void (await migrate(publishingDatabase(url))),
  })
  const settings = {
    NATS_URL: nats.urlFor('publishing'),
    CALL_TIMEOUT: String(waitLimit),
    DATABASE_URL_PUBLISHING: database.url,
    DATABASE_POOL: '5',
    DATABASE_WAIT: String(waitLimit),
    PUBLIC_URL: publicUrl,
    SITES_URL: 'https://{basename}.docs.test',
    SIGNING_SECRET: secret,
    ...environment,
  }
  const contentBus = await connectBus({ url: nats.urlFor('content'), service: 'content', callTimeout: waitLimit })
  const content = await aContentResponder(contentBus, organization)
  const log = createLog({ service: 'publishing', level: 'silent' })
  const replicas: RunningService[] = []
  const startReplica = async (changed: Record<string, string> = {}): Promise<RunningService> => {
    const made = { log, strict: true, redeliverAfter: 1, ...parts }
    const started = await startPublishing(config({ ...settings, ...changed }), made)
    await started.ready()
    replicas.push(started)
    return started
  }
  const service = await startReplica()
  const gateway = await connectBus({ url: nats.urlFor('gateway'), service: 'gateway', callTimeout: waitLimit })
  return {
    service,
    gateway,
    contentBus,
    content,
    as: (role, user, teams) => clientFor(gateway, actorWith(role, user, teams)),
    asLimited: limitedTo => clientFor(gateway, { ...actorWith('admin'), limitedTo }),
    anonymous: clientFor(gateway),
    natsUrlFor: nats.urlFor,
    startReplica,
    stop: async () => {
      await gateway.drain()
      await content.stop()
      await contentBus.drain()
      await Promise.all(replicas.map(replica => replica.stop()))
      await database.drop()
      await nats.stop()
    },
  }
}

function actorWith(role: Role | null | undefined, user = `a-${role}`, teams: string[] = []): Actor {
  const memberships = role === undefined ? [] : [{ organization, role, teams }]
  return { userId: user, platformAdmin: false, scopes: ['read', 'write', 'admin'], memberships }
}

function clientFor(gateway: Bus, actor?: Actor) {
  return busClient(gateway, publishingApi, { service: 'publishing', prefix: 'api', ...(actor && { actor }) })
}
