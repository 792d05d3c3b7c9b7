import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBlobStore, type BlobStore } from '@recto/blobs'
import {
  busClient,
  connectBus,
  headerJson,
  requestReply,
  servicePermissions,
  type Bus,
  type BusReply,
  type RequestConditions,
} from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import { contentRpc } from '@recto/contracts-content-bus'
import type { ImportManifest } from '@recto/contracts-git-worker-bus'
import { services } from '@recto/contracts-shared'
import { migrate } from '@recto/database'
import { createId } from '@recto/operation'
import type { Actor, Role } from '@recto/actor'
import type { RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, aNatsServer, builtWorkers, waitLimit, removeFolder } from '@recto/testing'
import type { z } from 'zod'
import * as grants from '../access/grants.repository.ts'
import { contentDatabase } from '../database.ts'
import { CollectionEntity, type CollectionRow } from '../resources/collection.entity.ts'
import { SpaceEntity, type SpaceRow } from '../resources/space.entity.ts'
import { startContent } from '../service.ts'
import { config } from '../shared/config.ts'
import { aSiteResponder, type SiteResponder } from './a-site-responder.ts'
import { aPeopleResponder, type PeopleResponder } from './people-responder.ts'

export const organization = 'anOrganization'

/** The real service with a database, a bus and a blob store of its own, and callers of it. */
export interface ContentSetup {
  service: RunningService
  blobs: BlobStore
  gateway: Bus
  identity: Bus
  worker: Bus
  publishing: Bus
  /** The members of the organizations, as identity knows them. */
  people: PeopleResponder
  /** The links of sites, as publishing knows them. */
  sites: SiteResponder
  /** A connection that may publish and subscribe to everything, unlike any service's. */
  operator: Bus
  /** A client in the name of a member with this role; undefined is an outsider, null a guest. */
  as(role: Role | null | undefined, who?: Who): ReturnType<typeof clientFor>
  /** The actor that `as` makes requests as. */
  actorOf(role: Role | null | undefined, who?: Who): Actor
  /** A client in the name of any caller. */
  asActor(actor: Actor): ReturnType<typeof clientFor>
  /** The calls of git-worker. */
  calls: ReturnType<typeof callsFor>
  /** The calls of identity. */
  access: ReturnType<typeof callsFor>
  /** The calls of the gateway. */
  gatewayCalls: ReturnType<typeof callsFor>
  natsUrlFor(service: string): string
  /** Starts the service again after it was stopped. */
  startAgain(): Promise<RunningService>
  stop(): Promise<void>
}

/** Starts everything; `environment` replaces settings of the service. */
export async function aContent(environment: Record<string, string> = {}): Promise<ContentSetup> {
  const names = ['gateway', 'identity', 'content', 'publishing', 'openapi-specs', 'git-worker'] as const
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) }))
  const nats = await aNatsServer({
    users: [...users, { name: 'operator', password: 'operator', publish: ['>'], subscribe: ['>'] }],
  })
  const database = await aDatabase({
    template: 'content',
    migrate: async url => void (await migrate(contentDatabase(url))),
  })
  const folder = await mkdtemp(join(tmpdir(), 'recto-blobs-'))
  const settings = config({
    NATS_URL: nats.urlFor('content'),
    CALL_TIMEOUT: String(waitLimit),
    DATABASE_URL_CONTENT: database.url,
    DATABASE_POOL: '5',
    DATABASE_WAIT: String(waitLimit),
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
    BLOB_URL: pathToFileURL(folder).href,
    OUTGOING_ALLOW: '127.0.0.1',
    ...environment,
  })
  const start = async () => {
    const started = await startContent(settings, {
      log: createLog({ service: 'content', level: 'silent' }),
      strict: true,
      redeliverAfter: 1,
      workerFile: name => builtWorkers('content', name),
    })
    // Waits until the server knows the subscriptions: earlier calls would find no responder.
    await started.ready()
    return started
  }
  const service = await start()
  const gateway = await connectBus({ url: nats.urlFor('gateway'), service: 'gateway', callTimeout: waitLimit })
  const worker = await connectBus({ url: nats.urlFor('git-worker'), service: 'git-worker', callTimeout: waitLimit })
  const identity = await connectBus({ url: nats.urlFor('identity'), service: 'identity', callTimeout: waitLimit })
  const publishing = await connectBus({ url: nats.urlFor('publishing'), service: 'publishing', callTimeout: waitLimit })
  const operator = await connectBus({ url: nats.urlFor('operator'), service: 'operator', callTimeout: waitLimit })
  const people = await aPeopleResponder(identity)
  const sites = await aSiteResponder(publishing)
  return {
    service,
    gateway,
    identity,
    publishing,
    worker,
    operator,
    people,
    sites,
    blobs: createBlobStore({ url: settings.BLOB_URL }),
    as: (role, who) => clientFor(gateway, actorWith(role, who)),
    actorOf: actorWith,
    asActor: actor => clientFor(gateway, actor),
    calls: callsFor(worker),
    access: callsFor(identity),
    gatewayCalls: callsFor(gateway),
    natsUrlFor: nats.urlFor,
    startAgain: start,
    stop: async () => {
      await Promise.all([gateway.drain(), identity.drain(), publishing.drain(), worker.drain(), operator.drain()])
      await service.stop()
      await database.drop()
      await nats.stop()
      await removeFolder(folder)
    },
  }
}

interface Who {
  user?: string
  teams?: string[]
}

/** A member with this role; undefined is an outsider, null a guest. */
export function actorWith(role: Role | null | undefined, { user = `user-${role}`, teams = [] }: Who = {}): Actor {
  const memberships = role === undefined ? [] : [{ organization, role, teams }]
  return { userId: user, platformAdmin: false, scopes: ['admin'], memberships }
}

function clientFor(gateway: Bus, actor: Actor) {
  return busClient(gateway, contentApi, { service: 'content', prefix: 'api', actor })
}

/** The role of a caller on a space, from the list of spaces they can read; undefined when it is not in it. */
export async function roleOn(
  client: ReturnType<typeof clientFor>,
  spaceId: string,
  { user, organizationId = organization }: { user: string; organizationId?: string },
): Promise<Role | undefined> {
  const { items } = await client.listSpacesForOrganizationMember({
    params: { organizationId, userId: user },
    query: { limit: 1000 },
  })
  return items.find(({ space }) => space.id === spaceId)?.permission
}

/** A request in the name of a member, with conditions, its body as JSON or as given; the reply as it is on the bus. */
export function conditional(
  { gateway }: ContentSetup,
  operationId: keyof typeof contentApi,
  request: { params: Record<string, string>; body?: unknown; conditions: RequestConditions; role?: Role },
): Promise<BusReply> {
  const { params, body, conditions, role = 'edit' } = request
  return requestReply(gateway, {
    subject: `api.content.${operationId}`,
    actor: headerJson(actorWith(role)),
    params: headerJson({ params, query: {} }),
    ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
    conditions,
    timeout: waitLimit,
  })
}

function callsFor(caller: Bus) {
  return busClient(caller, contentRpc, { service: 'content' })
}

type SpaceChanges = Partial<Pick<SpaceRow, 'defaultLevel' | 'deletedAt'>>

/** The id of a new space, in a collection or at the root, with changes written to its row directly. */
export async function aSpace(
  setup: ContentSetup,
  { parent, ...changes }: SpaceChanges & { parent?: string } = {},
): Promise<string> {
  const { id } = await setup
    .as('admin')
    .createSpace({ params: { organizationId: organization }, body: { ...(parent !== undefined && { parent }) } })
  if (Object.keys(changes).length > 0) await setup.service.db.update(SpaceEntity, { id }, changes)
  return id
}

/** The id of a new collection, in another or at the root, with changes written to its row directly. */
export async function aCollection(
  setup: ContentSetup,
  { parent, ...changes }: Partial<Pick<CollectionRow, 'defaultLevel' | 'deletedAt' | 'parent'>> = {},
): Promise<string> {
  const { id } = await setup
    .as('admin')
    .createCollection({ params: { organizationId: organization }, body: { ...(parent != null && { parent }) } })
  if (Object.keys(changes).length > 0) await setup.service.db.update(CollectionEntity, { id }, changes)
  return id
}

/** The resource, the subject and the role of a grant. */
type Granting = ({ space: string } | { collection: string }) & {
  user?: string
  team?: string
  role: Role
  createdAt?: Date
}

/** A grant on a space or collection, to a user unless it names a team. */
export async function aGrant({ service }: ContentSetup, on: Granting): Promise<void> {
  const { user, team, role, createdAt = new Date() } = on
  const space = { resourceType: 'space', resourceId: 'space' in on ? on.space : '' } as const
  const resource = 'space' in on ? space : ({ resourceType: 'collection', resourceId: on.collection } as const)
  await grants.grantAtLeast(service.db, {
    ...resource,
    organizationId: organization,
    subject: team === undefined ? 'user' : 'team',
    subjectId: team ?? user ?? '',
    role,
    createdAt,
  })
}

type Manifest = z.input<typeof ImportManifest>

/** Fields of a page that differ from those that its path gives it. */
export interface PageFields {
  title?: string
  description?: string
  noIndex?: boolean
  condition?: string
  slug?: string
  variables?: Record<string, string | number | boolean>
  tags?: { tag: string; primary?: boolean }[]
}

/** Content by path: pages as Markdown, files as text; reusable contents by title, and the variables of the space. */
export interface TestContent {
  pages: Record<string, string | Buffer>
  files?: Record<string, string | Buffer>
  /** Fields of the files that differ from those that their names and bytes give them. */
  fileFields?: Partial<Manifest['files'][number]>
  fields?: Record<string, PageFields>
  reusable?: Record<string, string>
  variables?: Manifest['variables']
  redirects?: Record<string, string>
  /** Tags that the repository describes. */
  tags?: Manifest['configuration']['tags']
  /** Entries that are added after the pages. */
  entries?: Manifest['pages']
  /** Whether the repository has a file of settings; content that does not say so comes from a worker that does not know it. */
  settingsFile?: Manifest['settingsFile']
}

/** A manifest with Markdown pages by path, nested ones as `parent/child`; the blobs are stored as a worker would store them. */
export async function aManifest(blobs: BlobStore, content: TestContent): Promise<Manifest> {
  const pages: Manifest['pages'] = []
  for (const [path, markdown] of Object.entries(content.pages)) {
    const { hash } = await blobs.put(Buffer.from(markdown))
    const segments = path.split('/')
    const page = {
      type: 'document' as const,
      title: `Page ${path}`,
      slug: segments.at(-1) ?? '',
      git: { path: `${path}.md`, oid: hash.slice(0, 40) },
      document: hash,
      pages: [],
      ...content.fields?.[path],
    }
    const parent = segments
      .slice(0, -1)
      .reduce<Manifest['pages'] | undefined>((siblings, slug) => findIn(siblings, slug), pages)
    parent?.push(page)
  }
  const files = await Promise.all(
    Object.entries(content.files ?? {}).map(async ([name, text]) => {
      const { hash, size } = await blobs.put(Buffer.from(text))
      const git = { path: `assets/${name}`, oid: hash.slice(0, 40) }
      return { name, git, hash, size, contentType: 'text/plain', ...content.fileFields }
    }),
  )
  const { redirects = {}, tags } = content
  const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects, ...(tags && { tags }) }
  const reusableContents = await Promise.all(
    Object.entries(content.reusable ?? {}).map(async ([title, markdown]) => {
      const { hash } = await blobs.put(Buffer.from(markdown))
      return { title, git: { path: `.gitbook/includes/${title}.md`, oid: hash.slice(0, 40) }, document: hash }
    }),
  )
  const { variables = {}, entries = [], settingsFile } = content
  const all = [...pages, ...entries]
  return { version: 1, configuration, pages: all, files, reusableContents, variables, settingsFile, warnings: [] }
}

function findIn(siblings: Manifest['pages'] | undefined, slug: string): Manifest['pages'] | undefined {
  const page = siblings?.find(page => page.type === 'document' && page.slug === slug)
  return page?.type === 'document' ? page.pages : undefined
}

interface ImportRequest {
  oid?: string
  ref?: string
  standalone?: boolean
  /** The user who makes the request. */
  user?: string
}

/** The URL and the name of the repository that test content comes from. */
const repository = { url: 'https://git.example/docs.git', repoName: 'docs' }

/** Applies an import to a space, as git-worker does; resolves to its outcome. */
export async function applyImport(
  setup: ContentSetup,
  spaceId: string,
  content: TestContent,
  { oid = 'c0ffee', ref = 'refs/heads/main', standalone = false, user = 'user-create' }: ImportRequest = {},
) {
  const attempt = { operationId: createId(), lease: 1, spaceId, holdSeconds: 60 }
  // No sweep frees stored content from here on.
  await setup.calls.listKnownGitBlobs({ body: attempt })
  const { hash: manifest } = await setup.blobs.put(Buffer.from(JSON.stringify(await aManifest(setup.blobs, content))))
  const { outcome } = await setup.calls.applyGitOperation({
    body: {
      ...attempt,
      createdBy: user,
      work: { kind: 'import', isStandalone: standalone },
      commit: { oid, message: 'a commit', ref, createdByService: false },
      manifest,
      discarded: [],
      repository: { ...repository, updatedAt: new Date().toISOString() },
    },
  })
  return outcome
}

/** Imports content into a space, and resolves to its revision. */
export async function importInto(...args: Parameters<typeof applyImport>): Promise<string> {
  return (await applyImport(...args)).revision
}
