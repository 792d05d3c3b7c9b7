import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Actor, Role } from '@recto/actor'
import { type BlobStore, createBlobStore } from '@recto/blobs'
import {
  type Bus,
  busClient,
  type BusReply,
  connectBus,
  headerJson,
  type RequestConditions,
  requestReply,
  serve,
  servicePermissions,
} from '@recto/bus'
import { gitWorkerApi } from '@recto/contracts-git-worker'
import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { services, type User } from '@recto/contracts-shared'
import { type Db, migrate, openDatabase } from '@recto/database'
import { feature } from '@recto/operation'
import { createLog, createMetrics, type Service } from '@recto/telemetry'
import { aDatabase, aNatsServer, waitLimit, removeFolder } from '@recto/testing'
import type { z } from 'zod'
import { gitDatabase } from '../database.ts'
import { type GitJobs, startGitWorker } from '../service.ts'
import { config } from '../shared/config.ts'
import { aContentResponder, type Content, organization } from './a-content.ts'

const encryptionKey = Buffer.alloc(32, 1).toString('base64url')

/** The real service with its own database, bus and blob store; content and identity respond from memory. */
export interface GitSetup {
  service: GitWorker
  db: Db
  databaseUrl: string
  encryptionKey: string
  content: Content
  blobs: BlobStore
  gateway: Bus
  worker: Bus
  /** A connection that may publish and subscribe to all subjects, unlike that of a service. */
  operator: Bus
  /** A client in the name of a member of the organization with this role; undefined is an outsider. */
  as(role: Role | null | undefined, organizationId?: string): ReturnType<typeof clientFor>
  /** The key of webhooks, as the gateway gets it. */
  webhookKeyOf(spaceId: string): Promise<string>
  /** Sends a request of a member with conditions; resolves to the reply on the bus. */
  conditional(operationId: keyof typeof gitWorkerApi, request: ConditionalRequest): Promise<BusReply>
  /** Starts another process of the service. */
  startAgain(): Promise<GitWorker>
  stop(): Promise<void>
}

interface ConditionalRequest {
  params: Record<string, string>
  body?: object | undefined
  conditions: RequestConditions
}

/** A running git-worker whose jobs a test can take. */
interface GitWorker extends Service {
  jobs: GitJobs
}

/** How the service starts. */
interface SetupOptions {
  /** Settings of the service. */
  environment?: Record<string, string>
  takesJobs?: boolean
  /** Called before the service starts. */
  prepare?(content: Content): void | Promise<void>
}

/** Starts all parts; the service takes jobs only with `takesJobs`. */
export async function aGitSetup({
  environment = {},
  takesJobs = false,
  prepare = () => undefined,
}: SetupOptions = {}): Promise<GitSetup> {
  const names = ['gateway', 'identity', 'content', 'git-worker'] as const
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) }))
  const nats = await aNatsServer({
    users: [...users, { name: 'operator', password: 'operator', publish: ['>'], subscribe: ['>'] }],
  })
  const database = await aDatabase({
    template: 'git-worker',
    migrate: async url => void (await migrate(gitDatabase(url))),
  })
  const folder = await mkdtemp(join(tmpdir(), 'recto-git-'))
  const connect = (service: string) => connectBus({ url: nats.urlFor(service), service, callTimeout: waitLimit })
  const settings = (cache: string) =>
    config({
      NATS_URL: nats.urlFor('git-worker'),
      CALL_TIMEOUT: String(waitLimit),
      DATABASE_URL_GIT_WORKER: database.url,
      DATABASE_POOL: '5',
      DATABASE_WAIT: String(waitLimit),
      PUBLIC_URL: 'http://recto.test',
      SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
      ENCRYPTION_KEY: encryptionKey,
      BLOB_URL: pathToFileURL(join(folder, 'blobs')).href,
      CACHE_DIR: join(folder, cache),
      OUTGOING_ALLOW: '127.0.0.1',
      // Tests leave operations open.
      GIT_ORGANIZATION_JOBS: '1000',
      ...environment,
    })
  const [gateway, identity, contentBus, worker, operator] = await Promise.all(
    ['gateway', 'identity', 'content', 'git-worker', 'operator'].map(connect),
  )
  if (!gateway || !identity || !contentBus || !worker || !operator) throw new Error('there is no bus')
  const blobs = createBlobStore({ url: settings('').BLOB_URL })
  const content = await aContentResponder(contentBus, blobs)
  await answerPeople(identity)
  await prepare(content)
  let caches = 0
  const start = async () => {
    const parts = { log: createLog({ service: 'git-worker', level: 'silent' }), metrics: createMetrics('git-worker') }
    let jobs: GitJobs | undefined
    const takeJobs = takesJobs ? {} : { takeJobs: (taken: GitJobs) => void (jobs = taken) }
    const options = { strict: true, redeliverAfter: 1, ...takeJobs }
    const gitWorker = await startGitWorker(settings(`cache-${caches++}`), { ...parts, ...options })
    await gitWorker.ready()
    return {
      ...gitWorker,
      get jobs(): GitJobs {
        if (!jobs) throw new Error('The worker takes its jobs itself')
        return jobs
      },
    }
  }
  const service = await start()
  const dataSource = await openDatabase(gitDatabase(database.url, { poolSize: 2 }))
  return {
    service,
    content,
    blobs,
    gateway,
    worker,
    operator,
    db: dataSource.manager,
    databaseUrl: database.url,
    encryptionKey,
    as: (role, organizationId) => clientFor(gateway, actorWith(role, organizationId)),
    webhookKeyOf: async spaceId => {
      const git = busClient(gateway, gitWorkerCalls, { service: 'git-worker' })
      return (await git.getGitPushKey({ body: { spaceId } })).key
    },
    conditional: (operationId, { params, body, conditions }) =>
      requestReply(gateway, {
        subject: `api.git-worker.${operationId}`,
        actor: headerJson(actorWith('create')),
        params: headerJson({ params, query: {} }),
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        conditions,
        timeout: waitLimit,
      }),
    startAgain: start,
    stop: async () => {
      await service.stop()
      await Promise.all([gateway, identity, contentBus, worker, operator].map(bus => bus.drain()))
      blobs.close()
      await dataSource.destroy()
      await database.drop()
      await nats.stop()
      await removeFolder(folder)
    },
  }
}

/** A member of the organization with this role; undefined is an outsider, null a guest. */
export function actorWith(role: Role | null | undefined, organizationId = organization): Actor {
  const memberships = role === undefined ? [] : [{ organization: organizationId, role, teams: [] }]
  return { userId: `user-${role}`, platformAdmin: false, scopes: ['admin'], memberships }
}

function clientFor(gateway: Bus, actor: Actor) {
  return busClient(gateway, gitWorkerApi, { service: 'git-worker', prefix: 'api', actor })
}

const peopleRows = { describePeople: peopleCalls.describePeople }

/** Serves people: every user is a member of every organization, with the id as the name. */
async function answerPeople(bus: Bus): Promise<void> {
  const { handlers } = feature<unknown>()(peopleRows, {
    async describePeople({ body }) {
      return { users: body.users.map(aUser), teams: [] }
    },
  })
  const log = createLog({ service: 'identity', level: 'silent' })
  serve(bus, { prefix: 'rpc', operations: peopleRows, handlers, context: () => ({}), log, strict: true })
  await bus.connection.flush()
}

function aUser(id: string): z.input<typeof User> {
  return { object: 'user', id, displayName: id, urls: { location: `http://recto.test/v1/users/${id}` } }
}
