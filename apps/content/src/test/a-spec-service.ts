import type { Bus } from '@recto/bus'
import { openApiSpecCalls, openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { migrate, query, transact } from '@recto/database'
import { createId, feature } from '@recto/operation'
import { startDatabaseService } from '@recto/service'
import { createLog } from '@recto/telemetry'
import { aDatabase, eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import { contentDatabase } from '../database.ts'
import type { SpecOutline } from '../computed-pages/computed-text.rules.ts'
import { aContent, organization, type ContentSetup } from './content-setup.ts'
import { handledEvents } from './handled-events.ts'

/** A service on the bus in place of openapi-specs: it answers the calls of content from memory, and publishes the same events. */
export interface SpecService {
  /** Gives a specification another version, and waits until content has heard of it; resolves to its id. */
  addVersion(slug: string, outline: SpecOutline, of?: string): Promise<string>
  /** The same without an event, as if it had been lost or not sent yet. */
  addQuietly(slug: string, outline: SpecOutline): string
  remove(slug: string): Promise<void>
  /** Its connection. */
  bus: Bus
  stop(): Promise<void>
}

interface TestSpec {
  organization: string
  slug: string
  spec: string
  version: string
  outline: SpecOutline
}

/** The real content service with that service beside it. */
export async function aContentWithSpecs() {
  const content = await aContent()
  const specs = await aSpecService(content)
  const stop = async () => {
    await specs.stop()
    await content.stop()
  }
  return { content, specs, stop }
}

/** The declaration of a page that is computed from a specification. */
export const computedFrom = (spec: string, models = true) => ({
  type: 'builtin:openapi' as const,
  props: { models },
  dependencies: { spec: { ref: { kind: 'openapi' as const, spec } } },
})

/** Starts the service with a database of its own for its outbox. */
async function aSpecService(content: ContentSetup): Promise<SpecService> {
  const specs = new Map<string, TestSpec>()
  const database = await aDatabase({
    template: 'content',
    migrate: async url => void (await migrate(contentDatabase(url))),
  })
  const service = await startDatabaseService({
    name: 'openapi-specs',
    natsUrl: content.natsUrlFor('openapi-specs'),
    redeliverAfter: 0.5,
    secret: ['a secret of at least 32 characters'],
    database: contentDatabase(database.url, { poolSize: 3 }),
    log: createLog({ service: 'openapi-specs', level: 'silent' }),
    api: { operations: {}, handlers: {} },
    calls: { operations: openApiSpecCalls, handlers: specHandlers(specs).handlers },
    build: () => ({ context: base => base }),
  })
  await service.ready()
  const publish = async (event: 'versionAdded' | 'specDeleted', { outline: _, ...spec }: TestSpec) => {
    await transact(
      service.db,
      () => undefined,
      tx => tx.publish(openApiSpecEvents[event] as typeof openApiSpecEvents.versionAdded, spec),
    )
    await eventually(async () =>
      expect(
        await query(service.db, `select id from outbox where done_at is null and not 'content' = any(acknowledged_by)`),
      ).toEqual([]),
    )
    await handledEvents(content.service.db)
  }
  const add = (slug: string, outline: SpecOutline, of = organization): TestSpec => {
    const added = { organization: of, slug, spec: `${of}-${slug}`, version: createId(), outline }
    specs.set(added.spec, added)
    return added
  }
  return {
    async addVersion(slug, outline, of) {
      const added = add(slug, outline, of)
      await publish('versionAdded', added)
      return added.version
    },
    addQuietly: (slug, outline) => add(slug, outline).version,
    async remove(slug) {
      const removed = specs.get(`${organization}-${slug}`)
      specs.delete(`${organization}-${slug}`)
      if (removed) await publish('specDeleted', removed)
    },
    bus: service.bus,
    async stop() {
      await service.stop()
      await database.drop()
    },
  }
}

function specHandlers(specs: Map<string, TestSpec>) {
  const createdAt = new Date(0).toISOString()
  const specsOf = ({ organization: of, slugs }: { organization: string; slugs: string[] }) =>
    [...specs.values()].filter(({ organization, slug }) => organization === of && slugs.includes(slug))
  return feature<unknown>()(openApiSpecCalls, {
    describeVersions: async ({ body }) => ({ versions: specsOf(body) }),
    async createSpecification({ body: { organization: of, slug } }) {
      specs.set(`${of}-${slug}`, {
        organization: of,
        slug,
        spec: `${of}-${slug}`,
        version: createId(),
        outline: anOutline(),
      })
      return { slug }
    },
    async readSpecification({ body: { url } }) {
      const [spec] = [...specs.values()].filter(({ slug }) => new URL(url).pathname === `/${slug}.json`)
      if (spec) return { kind: 'outline', outline: spec.outline }
      return { kind: 'failure', reason: 'invalid', message: 'This is no specification' }
    },
    describeSpecs: async ({ body }) => ({
      specs: specsOf(body).map(({ organization, slug, spec: id, version: lastVersion }) => ({
        object: 'openapi-spec' as const,
        id,
        slug,
        lastVersion,
        createdAt,
        updatedAt: createdAt,
        processingState: 'complete' as const,
        visibility: 'private' as const,
        permissions: { view: true, edit: false },
        urls: {
          location: `http://recto.test/v1/orgs/${organization}/openapi/${slug}`,
          app: `http://recto.test/o/${organization}/openapi/${slug}`,
        },
      })),
    }),
  })
}

/** An outline with a page for each tag, which has one operation, and one below the first. */
export function anOutline({ tags = ['Toys', 'Games'], text = 'About toys' } = {}): SpecOutline {
  const pages = tags.map(tag => ({
    key: `tag:${tag}`,
    name: tag,
    title: tag,
    webhooks: [],
    operations: [{ method: 'get', path: `/${tag.toLowerCase()}/{id}`, title: `Find ${tag}` }],
  }))
  const [first] = pages
  const below = first && { ...first, key: 'tag:Below', parent: first.key, name: 'Below', title: 'Below', text: 'Deep' }
  return { title: 'The API', text, pages: below ? [...pages, below] : pages, schemas: ['Toy'] }
}
