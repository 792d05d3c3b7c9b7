import type { Actor, Role } from '@recto/actor'
import { busClient, connectBus, serve, servicePermissions, type Bus } from '@recto/bus'
import { readerCalls } from '@recto/contracts-content-bus'
import { eventsApi } from '@recto/contracts-events'
import { identityEvents, peopleCalls } from '@recto/contracts-identity-bus'
import { siteReaderCalls } from '@recto/contracts-publishing-bus'
import { recorded, services, type RecordFacts, type RecordTypeName } from '@recto/contracts-shared'
import { migrate, transact, type RecordedChange, type Transaction } from '@recto/database'
import { operations, runWithOrigin, type Answers, type Origin } from '@recto/operation'
import { startDatabaseService, type RunningService, type ServiceContext } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, aNatsServer, waitLimit } from '@recto/testing'
import { appendChange } from '../record/append-change.ts'
import { eventsDatabase } from '../database.ts'
import { startEvents } from '../service.ts'
import { config } from '../shared/config.ts'

export const organization = 'anOrganization'
const secret = 'a-secret-for-tests-of-32-characters-or-more'
const names = ['gateway', 'events', 'content', 'identity', 'publishing'] as const

/** A change of which a test says the parts that matter to it. */
type PartialChange = Partial<RecordedChange> & { number: number }

/** The real service with a database and a bus of its own, beside a service that records changes. */
export interface EventsSetup {
  service: RunningService
  /** A client in the name of a user with a role; undefined is an outsider, null a guest. */
  as(role: Role | null | undefined, userId?: string): ReturnType<typeof clientFor>
  /** Records a change in content, as its handlers do, and resolves when the record has it. */
  record<Type extends RecordTypeName>(
    type: Type,
    facts: Omit<RecordFacts<Type>, 'organization'>,
    origin?: Origin,
  ): Promise<void>
  /** Delivers a change as it arrives from a service. */
  deliver(change: PartialChange, source?: string): Promise<void>
  /** The same in a transaction of the caller. */
  deliverIn(tx: Transaction, change: PartialChange, source?: string): Promise<void>
  /** Roles of callers without a right to everything; answered in place of content and publishing. */
  readable: { spaces: Map<string, Role>; collections: Map<string, Role>; sites: Map<string, Role> }
  /** Members of the organization by their ids; answered in place of identity. */
  memberships: Map<string, { role: Role | null; teams: string[] }>
  /** Announces, as identity does, that the rights of a user have changed. */
  changeRights(userId: string): Promise<void>
  /** Lines of the log. */
  logged(): string
  stop(): Promise<void>
}

/** Starts everything; `environment` replaces settings of the service. */
export async function anEventService(environment: Record<string, string> = {}): Promise<EventsSetup> {
  const nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  const template = { template: 'events', migrate: async (url: string) => void (await migrate(eventsDatabase(url))) }
  const [database, other] = await Promise.all([aDatabase(template), aDatabase(template)])
  const settings = config({
    NATS_URL: nats.urlFor('events'),
    CALL_TIMEOUT: String(waitLimit),
    DATABASE_URL_EVENTS: database.url,
    DATABASE_POOL: '5',
    DATABASE_WAIT: String(waitLimit),
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: secret,
    ...environment,
  })
  const lines: string[] = []
  const log = createLog({ service: 'events', level: 'debug', destination: { write: line => void lines.push(line) } })
  const service = await startEvents(settings, { log, strict: true, redeliverAfter: 1 })
  const readable = {
    spaces: new Map<string, Role>(),
    collections: new Map<string, Role>(),
    sites: new Map<string, Role>(),
  }
  const memberships = new Map<string, { role: Role | null; teams: string[] }>([['ann', { role: 'admin', teams: [] }]])
  const recorder = await aRecorder(nats.urlFor('content'), other.url, readable)
  const [gateway, ...responders] = await Promise.all([
    connectBus({ url: nats.urlFor('gateway'), service: 'gateway', callTimeout: waitLimit }),
    answer(nats.urlFor('publishing'), 'publishing', siteReaderCalls, {
      findReadableSites: async ({ body }: { body: { sites: string[] } }) => ({
        sites: rolesOf(body.sites, readable.sites),
      }),
    }),
    answer(
      nats.urlFor('identity'),
      'identity',
      { describePeople: peopleCalls.describePeople, listMemberships: peopleCalls.listMemberships },
      {
        describePeople: async ({ body }: { body: { users: string[] } }) => ({
          users: body.users.map(id => ({ object: 'user', id, displayName: `Name of ${id}`, urls: { location: '' } })),
          teams: [],
        }),
        listMemberships: async ({ body }: { body: { users: string[] } }) => ({
          members: body.users.flatMap(user => {
            const membership = memberships.get(user)
            return membership ? [{ user, ...membership }] : []
          }),
        }),
      },
    ),
  ])
  const { db } = service
  const deliverIn: EventsSetup['deliverIn'] = (tx, change, source = 'content') =>
    appendChange(tx, source, aChange(change) as never)
  return {
    service,
    readable,
    memberships,
    as: (role, userId = 'ann') => clientFor(gateway, actorWith(role, userId)),
    async record(type, facts, origin = {}) {
      const entry = recorded(type, { organization, ...facts } as never)
      const write = () =>
        transact(
          recorder.db,
          () => undefined,
          async tx => tx.record(entry),
        )
      await runWithOrigin(origin, write)
    },
    deliver: (change, source) =>
      transact(
        db,
        () => undefined,
        tx => deliverIn(tx, change, source),
      ),
    deliverIn,
    async changeRights(userId) {
      const { connection } = responders[1]
      connection.publish(identityEvents.actorChanged.subject, JSON.stringify({ userIds: [userId] }))
      await connection.flush()
    },
    logged: () => lines.join(''),
    async stop() {
      await Promise.all([service.stop(), recorder.stop()])
      await Promise.all([gateway.drain(), ...responders.map(bus => bus.drain())])
      await Promise.all([database.drop(), other.drop()])
      await nats.stop()
    },
  }
}

function rolesOf(ids: readonly string[], roles: ReadonlyMap<string, Role>) {
  return ids.flatMap(id => {
    const role = roles.get(id)
    return role ? [{ id, role }] : []
  })
}

/** A change as it arrives. */
function aChange({ number, ...facts }: PartialChange): RecordedChange {
  return {
    id: crypto.randomUUID(),
    number,
    time: new Date().toISOString(),
    type: 'space.updated',
    organization,
    subject: { space: `space ${number}` },
    ...facts,
  }
}

/** A service in the place of content, with an outbox and a relay, which says what callers may read. */
function aRecorder(natsUrl: string, url: string, readable: EventsSetup['readable']): Promise<RunningService> {
  const handlers = {
    findReadable: async ({ body }: { body: { spaces: string[]; collections: string[] } }) => ({
      spaces: rolesOf(body.spaces, readable.spaces),
      collections: rolesOf(body.collections, readable.collections),
    }),
  }
  return startDatabaseService<ServiceContext>({
    name: 'content',
    natsUrl,
    database: eventsDatabase(url),
    secret: [secret],
    log: createLog({ service: 'content', level: 'silent' }),
    api: { operations: operations({}), handlers: {} },
    calls: { operations: readerCalls, handlers: handlers as unknown as Answers<ServiceContext>['handlers'] },
    build: () => ({ context: base => base }),
    redeliverAfter: 1,
  })
}

async function answer(
  url: string,
  service: string,
  rows: Parameters<typeof operations>[0],
  handlers: object,
): Promise<Bus> {
  const bus = await connectBus({ url, service, callTimeout: waitLimit })
  const log = createLog({ service, level: 'silent' })
  serve(bus, { prefix: 'rpc', operations: rows, handlers: handlers as never, context: meta => meta, log })
  await bus.connection.flush()
  return bus
}

function actorWith(role: Role | null | undefined, userId: string): Actor {
  return {
    userId,
    platformAdmin: false,
    scopes: ['read', 'write', 'admin'],
    memberships: role === undefined ? [] : [{ organization, role, teams: [] }],
  }
}

const clientFor = (bus: Bus, actor: Actor) => busClient(bus, eventsApi, { service: 'events', prefix: 'api', actor })
