import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Actor, Role } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import type { BlobStore } from '@recto/blobs'
import { busClient, connectBus, serve, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { shownSpecCalls } from '@recto/contracts-content-bus'
import { openApiSpecsApi } from '@recto/contracts-openapi-specs'
import { openApiSpecsRpc } from '@recto/contracts-openapi-specs-bus'
import { migrate } from '@recto/database'
import { feature } from '@recto/operation'
import type { RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, aNatsServer, builtWorkers, waitLimit, removeFolder } from '@recto/testing'
import { openContents } from '../contents/contents.ts'
import { specificationDatabase } from '../database.ts'
import { startOpenApiSpecs } from '../service.ts'
import { config } from '../shared/config.ts'

export const organization = 'anOrganization'
const secret = 'a-secret-for-tests-of-32-characters-or-more'
const names = ['gateway', 'openapi-specs', 'content'] as const

/** The real service with a database and a bus of its own, and callers of it. */
export interface SpecsSetup {
  service: RunningService
  gateway: Bus
  /** The lines of the log. */
  logged(): string
  /** A client in the name of a member with this role; undefined is an outsider, null a guest. */
  as(role: Role | null | undefined): SpecsClient
  /** A client of a visitor of a site of this organization, with spaces. */
  visitor(organization: string, spaces?: string[], version?: number): SpecsClient
  /** The names on pages, as `space specification`; answered in place of content. */
  visibleSpecs: Set<string>
  /** The calls of content. */
  calls: ReturnType<typeof callsFor>
  /** The store of contents. */
  contents: BlobStore
  /** A client without a token. */
  anonymous: SpecsClient
  /** Starts another replica; it is stopped with the setup. */
  anotherReplica(): Promise<RunningService>
  stop(): Promise<void>
}

/** Starts everything; `environment` replaces settings of the service. */
export async function aSpecService(environment: Record<string, string> = {}): Promise<SpecsSetup> {
  const nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  const database = await aDatabase({
    template: 'openapi-specs',
    migrate: async url => void (await migrate(specificationDatabase(url))),
  })
  const folder = await mkdtemp(join(tmpdir(), 'recto-specs-'))
  const settings = config({
    NATS_URL: nats.urlFor('openapi-specs'),
    CALL_TIMEOUT: String(waitLimit),
    DATABASE_URL_OPENAPI_SPECS: database.url,
    DATABASE_POOL: '5',
    DATABASE_WAIT: String(waitLimit),
    BLOB_URL: pathToFileURL(folder).href,
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: secret,
    OUTGOING_ALLOW: '127.0.0.1',
    ...environment,
  })
  const contents = openContents(pathToFileURL(folder).href)
  const lines: string[] = []
  const start = async () => {
    const write = (line: string) => void lines.push(line)
    const log = createLog({ service: 'openapi-specs', level: 'debug', destination: { write } })
    const workerFile = () => builtWorkers('openapi-specs', 'specification-worker')
    const started = await startOpenApiSpecs(settings, { log, strict: true, workerFile })
    await started.ready()
    return started
  }
  const running = [await start()]
  const gateway = await connectBus({ url: nats.urlFor('gateway'), service: 'gateway', callTimeout: waitLimit })
  const content = await connectBus({ url: nats.urlFor('content'), service: 'content', callTimeout: waitLimit })
  const visibleSpecs = new Set<string>()
  await answerInPlaceOfContent(content, visibleSpecs)
  return {
    service: running[0] as RunningService,
    gateway,
    logged: () => lines.join(''),
    as: role => clientFor(gateway, actorWith(role)),
    visitor: (organization, spaces, version) => clientFor(gateway, aVisitor(organization, spaces, version)),
    visibleSpecs,
    calls: callsFor(content),
    contents,
    anonymous: clientFor(gateway),
    anotherReplica: async () => {
      const replica = await start()
      running.push(replica)
      return replica
    },
    stop: async () => {
      await Promise.all([gateway.drain(), content.drain()])
      await Promise.all(running.map(service => service.stop()))
      await database.drop()
      await nats.stop()
      contents.close()
      await removeFolder(folder)
    },
  }
}

/** A member with this role; undefined is an outsider, null a guest. */
export function actorWith(role: Role | null | undefined): Actor {
  const memberships = role === undefined ? [] : [{ organization, role, teams: [] }]
  return { userId: `a-${role}`, platformAdmin: false, scopes: ['read', 'write', 'admin'], memberships }
}

function callsFor(content: Bus) {
  return busClient(content, openApiSpecsRpc, { service: 'openapi-specs' })
}

/** Answers what content does, from memory. */
async function answerInPlaceOfContent(content: Bus, visibleSpecs: Set<string>): Promise<void> {
  const handlers = feature<unknown>()(shownSpecCalls, {
    async showsSpecification({ body: { actor, spec } }) {
      return { shown: actor.visitor?.spaces.some(space => visibleSpecs.has(`${space} ${spec}`)) === true }
    },
  }).handlers
  const log = createLog({ service: 'content', level: 'silent' })
  serve(content, { prefix: 'rpc', operations: shownSpecCalls, handlers, context: () => ({}), log, strict: true })
  await content.connection.flush()
}

/** A visitor of a version of a site of an organization, with spaces. */
export function aVisitor(of: string, spaces: string[] = [], version = 1): Actor {
  return visitorActor({ organization: of, site: 'aSite', version, spaces, claims: {} })
}

/** A client of all operations of the service. */
export type SpecsClient = ReturnType<typeof clientFor>

function clientFor(gateway: Bus, actor?: Actor) {
  return busClient(gateway, openApiSpecsApi, {
    service: 'openapi-specs',
    prefix: 'api' as const,
    ...(actor && { actor }),
  })
}
