import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBlobStore, type BlobStore } from '@recto/blobs'
import { busClient, connectBus, servicePermissions, type Bus } from '@recto/bus'
import { api, calls, services, type ImportManifest } from '@recto/contracts'
import { migrate } from '@recto/database'
import type { Actor, Role } from '@recto/operation'
import type { RunningService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, aNatsServer } from '@recto/testing'
import type { z } from 'zod'
import { config } from '../config.ts'
import { contentDatabase } from '../database.ts'
import { startContent } from '../service.ts'

export const organization = 'anOrganization'

/** The real service with a database, a bus and a blob store of its own, and callers of it. */
export interface ContentSetup {
  service: RunningService
  blobs: BlobStore
  gateway: Bus
  worker: Bus
  /** May do everything on the bus, as no service may. */
  operator: Bus
  /** A client in the name of a member with this role; undefined is a stranger, null a guest. */
  as(role: Role | null | undefined): ReturnType<typeof clientFor>
  /** What git-worker calls. */
  calls: ReturnType<typeof callsFor>
  stop(): Promise<void>
}

export async function aContent(): Promise<ContentSetup> {
  const names = ['gateway', 'content', 'git-worker'] as const
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) }))
  const nats = await aNatsServer({ users: [...users, { name: 'operator', password: 'operator', publish: ['>'], subscribe: ['>'] }] })
  const database = await aDatabase({ template: 'content', migrate: async url => void (await migrate(contentDatabase(url))) })
  const folder = await mkdtemp(join(tmpdir(), 'recto-blobs-'))
  const settings = config({
    NATS_URL: nats.urlFor('content'),
    DATABASE_URL_CONTENT: database.url,
    DATABASE_POOL: '5',
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: 'a-secret-for-tests-of-32-characters-or-more',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64url'),
    BLOB_URL: pathToFileURL(folder).href,
  })
  const service = await startContent(settings, { log: createLog({ service: 'content', level: 'silent' }), strict: true, tellAgain: 1 })
  const gateway = await connectBus({ url: nats.urlFor('gateway'), service: 'gateway' })
  const worker = await connectBus({ url: nats.urlFor('git-worker'), service: 'git-worker' })
  const operator = await connectBus({ url: nats.urlFor('operator'), service: 'operator' })
  return {
    ...{ service, gateway, worker, operator, blobs: createBlobStore({ url: settings.BLOB_URL }) },
    as: role => clientFor(gateway, role),
    calls: callsFor(worker),
    stop: async () => {
      await Promise.all([gateway.drain(), worker.drain(), operator.drain()])
      await service.stop()
      await database.drop()
      await nats.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function actorWith(role: Role | null | undefined): Actor {
  const memberships = role === undefined ? [] : [{ organization, role, teams: [] }]
  return { userId: `user-${role}`, platformAdmin: false, scopes: ['admin'], memberships }
}

function clientFor(gateway: Bus, role: Role | null | undefined) {
  return busClient(gateway, api.content, { service: 'content', prefix: 'api', actor: actorWith(role) })
}

function callsFor(worker: Bus) {
  return busClient(worker, calls.content, { service: 'content' })
}

type Manifest = z.input<typeof ImportManifest>

/** Pages by path, a nested one as `parent/child`, each with its Markdown; put into the blob store as a worker would. */
export async function aManifest(blobs: BlobStore, content: { pages: Record<string, string>; files?: Record<string, string> }): Promise<Manifest> {
  const pages: Manifest['pages'] = []
  for (const [path, markdown] of Object.entries(content.pages)) {
    const { hash } = await blobs.put(Buffer.from(markdown))
    const segments = path.split('/')
    const page = { type: 'document' as const, title: `Page ${path}`, slug: segments.at(-1) ?? '', git: { path: `${path}.md`, oid: hash.slice(0, 40) }, document: hash, pages: [] }
    const parent = segments.slice(0, -1).reduce<Manifest['pages'] | undefined>((siblings, slug) => findIn(siblings, slug), pages)
    parent?.push(page)
  }
  const files = await Promise.all(
    Object.entries(content.files ?? {}).map(async ([name, text]) => {
      const { hash, size } = await blobs.put(Buffer.from(text))
      return { name, git: { path: `assets/${name}`, oid: hash.slice(0, 40) }, hash, size, contentType: 'text/plain' }
    }),
  )
  const configuration = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: {} }
  return { version: 1, configuration, pages, files, reusableContents: [], variables: {}, warnings: [] }
}

function findIn(siblings: Manifest['pages'] | undefined, slug: string): Manifest['pages'] | undefined {
  const found = siblings?.find(page => page.type === 'document' && page.slug === slug)
  return found?.type === 'document' ? found.pages : undefined
}

/** Imports content into a space: asks for it as a member and does a worker's part. */
export async function importInto(setup: ContentSetup, spaceId: string, content: Parameters<typeof aManifest>[1], request: { timestamp?: string; standalone?: boolean; oid?: string } = {}): Promise<string> {
  const client = setup.as('create')
  const { oid = 'c0ffee', ...options } = request
  await client.importGitRepository({ params: { spaceId }, body: { url: 'https://git.example/docs.git', ref: 'refs/heads/main', ...options } })
  const { items } = await client.listGitOperations({ params: { spaceId }, query: { limit: 1 } })
  const operationId = items[0]?.id ?? ''
  const work = await setup.calls.startGitOperation({ body: { operationId } })
  if (work.state !== 'run') throw new Error(`the operation is ${work.state}`)
  const { hash: manifest } = await setup.blobs.put(Buffer.from(JSON.stringify(await aManifest(setup.blobs, content))))
  const commit = { oid, message: 'a commit', ref: 'refs/heads/main' }
  const { revision } = await setup.calls.finishGitImport({ body: { operationId, attempt: work.attempt, commit, manifest } })
  return revision
}
