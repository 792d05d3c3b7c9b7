import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { aRestartableNats, aWebServer, eventually, lockRow, replySchemas, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { databaseUrl, untilAwaited } from './databases.ts'
import type { Hold } from './git-proxy.ts'
import { aNatsProxy } from './nats-proxy.ts'
import { anOrganization, type Person } from './people.ts'
import { publishedClient, type PublishedClient } from './published-client.ts'
import { specStages } from './specification-stages.ts'
import { aSpecificationText } from './specifications.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'
import { request } from './walk.ts'

const schemas = replySchemas()
const documentOf = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

let stack: Stack
let web: WebServer
let admin: Person
let organizationId: string
const stopping: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const bus = await aRestartableNats({ maxPayload: 8 * 1024 * 1024 })
  const nats = await aNatsProxy(bus.port)
  const url = new URL(bus.url)
  url.port = String(nats.port)
  stopping.push(
    () => nats.stop(),
    () => bus.stop(),
  )
  web = await aWebServer()
  stopping.unshift(() => web.stop())
  stack = await startStack({ env: { ...usualTime, RATE_LIMIT: '1000000', NATS_URL: url.href } })
  stopping.unshift(() => stack.stop())
  ;({ admin, id: organizationId } = await anOrganization(stack))
  await killAtStages(nats)
})
afterAll(async () => {
  for (const stop of stopping) await stop()
  await removeData(stack.dataDir)
})

const orgs = () => admin.client.orgs
const source = (spec: string) => ({
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})
async function aSpecOf(path: string, slug: string, text?: string): Promise<void> {
  if (text !== undefined) web.set({ [path]: text })
  await orgs().createOpenApiSpec(organizationId, { slug, source: { url: `${web.url}${path}` } })
}
const processed = (slug: string) =>
  eventually(async () => {
    const spec = (await orgs().getOpenApiSpecBySlug(organizationId, slug)).data
    expect([spec.processingState, spec.lastProcessErrorCode]).toEqual(['complete', undefined])
    return spec
  })
const versionsOf = async (slug: string) => (await orgs().listOpenApiSpecVersions(organizationId, slug)).data.items
async function aReference(spec: string, of = organizationId, by = admin): Promise<string> {
  const body = { title: spec.slice(0, 50), computedSource: source(spec) }
  return (await by.client.orgs.createSpace(of, body as never)).data.id
}
const pathsOf = async (spaceId: string, by = admin) => {
  const { data } = await by.client.spaces.listPages(spaceId)
  expect(schemas.validateReply('listPages', 200, data)).toEqual([])
  return data.pages.map(page => ('path' in page ? page.path : page.type))
}
/** The revisions that a change of a specification made. */
const computedRevisions = async (spaceId: string) => {
  const path = `/spaces/${spaceId}/revisions?limit=1000`
  const { items } = await request<{ items: { type: string }[] }>(admin, 'GET', path)
  return items.filter(({ type }) => type === 'computed')
}

/** Spaces that show specifications whose processing was killed, by slug. */
const spaceBySlug = new Map<string, string>()
/** How many revisions the space had before content was killed, and while it refreshed its pages. */
let refreshed: { spaceId: string; before: number }

/**
 * Kills openapi-specs while it is at each of its stages, and content while it refreshes pages. What was killed is taken over after 20
 * seconds: the tests of the rest run meanwhile.
 */
async function killAtStages(nats: Awaited<ReturnType<typeof aNatsProxy>>): Promise<void> {
  const holds: Hold[] = []
  const isReached = (hold: Hold) => {
    holds.push(hold)
    return hold.reached
  }
  await orgs().createOpenApiSpec(organizationId, { slug: 'refreshed', source: { text: aSpecificationText('One') } })
  await processed('refreshed')
  const spaceId = await aReference('refreshed')
  await eventually(async () => expect(await pathsOf(spaceId)).toContain('toys'))
  for (const { slug } of specStages) spaceBySlug.set(slug, await aReference(slug))
  refreshed = { spaceId, before: (await computedRevisions(spaceId)).length }
  const row = await lockRow(databaseUrl(stack.dataDir, 'content'), { table: 'spaces', id: spaceId })
  const source = { text: aSpecificationText('Two') }
  await orgs().createOrUpdateOpenApiSpecBySlug(organizationId, 'refreshed', { source })
  await isReached({ reached: untilAwaited(row), release: () => void row.release() })
  for (const stage of specStages) {
    const held = { slug: stage.slug, web, nats, dataDir: stack.dataDir }
    const hold = await stage.hold(held)
    await orgs().createOpenApiSpec(organizationId, { slug: stage.slug, source: stage.source(held) })
    await isReached(hold)
  }
  const pids = () => ['openapi-specs', 'content'].map(name => stack.pidOf(name))
  const killed = pids()
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  for (const { release } of holds) release()
  await eventually(() => expect(pids().filter(pid => killed.includes(pid))).toEqual([]))
  await eventually(() => Promise.all([orgs().listOpenApiSpecs(organizationId), pathsOf(spaceId)]))
}

it.each([
  ['our own', '../../openapi.json'],
  ['that of the published client', '../../node_modules/@gitbook/api/spec/openapi.json'],
])('a real document becomes pages: %s', async (_title, file) => {
  const slug = `real-${file.length}`
  const path = `/real-${file.length}.json`
  await aSpecOf(path, slug, documentOf(file))
  await processed(slug)
  const spaceId = await aReference(slug)
  await eventually(async () => expect((await pathsOf(spaceId)).length).toBeGreaterThan(2))
  for (const pagePath of (await pathsOf(spaceId)).slice(0, 4)) {
    const { data } = await admin.client.spaces.getPageByPath(spaceId, pagePath, { format: 'document' })
    expect(schemas.validateReply('getPageByPath', 200, data)).toEqual([])
  }
})

it('every operation answers the published client as it declares, and reads with an entity tag', async () => {
  const of = organizationId
  const slug = 'client'
  const text = aSpecificationText()
  const replies: [string, number, { status: number; data: unknown; url: string; headers: Headers }][] = []
  const create = await orgs().createOpenApiSpec(of, { slug, source: { text } })
  replies.push(['createOpenAPISpec', 201, create])
  expect(create.headers.get('location')).toBe(create.data.urls.location)
  const { lastVersion: version = '' } = await processed(slug)
  const put = (name: string) => orgs().createOrUpdateOpenApiSpecBySlug(of, name, { source: { text } })
  replies.push(['createOrUpdateOpenAPISpecBySlug', 201, await put('client-put')])
  replies.push(['createOrUpdateOpenAPISpecBySlug', 200, await put('client-put')])
  const specification = await orgs().updateOpenApiSpecBySlug(of, slug, { visibility: 'public' as never })
  replies.push(['updateOpenAPISpecBySlug', 200, specification])
  await processed('client-put')
  const writes = replies.length
  replies.push(['listOpenAPISpecs', 200, await orgs().listOpenApiSpecs(of)])
  replies.push(['getOpenAPISpecBySlug', 200, await orgs().getOpenApiSpecBySlug(of, slug)])
  replies.push(['listOpenAPISpecVersions', 200, await orgs().listOpenApiSpecVersions(of, slug)])
  replies.push(['getLatestOpenAPISpecVersion', 200, await orgs().getLatestOpenApiSpecVersion(of, slug)])
  replies.push(['getLatestOpenAPISpecVersionContent', 200, await orgs().getLatestOpenApiSpecVersionContent(of, slug)])
  replies.push(['getOpenAPISpecVersionById', 200, await orgs().getOpenApiSpecVersionById(of, slug, version)])
  replies.push([
    'getOpenAPISpecVersionContentById',
    200,
    await orgs().getOpenApiSpecVersionContentById(of, slug, version),
  ])
  for (const [id, status, reply] of replies)
    expect([id, reply.status, schemas.validateReply(id, status, reply.data)]).toEqual([id, status, []])
  const published = specification.data.urls.published ?? ''
  const reads = [...replies.slice(writes).map(([, , { url }]) => url), published, published.replace('.json', '.yaml')]
  const authorization = `Bearer ${admin.token}`
  for (const url of reads) {
    const etag = (await fetch(url, { headers: { authorization }, method: 'HEAD' })).headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { authorization, 'if-none-match': etag } })
    expect([url, again.status]).toEqual([url, 304])
  }
  expect((await orgs().deleteOpenApiSpecBySlug(of, slug)).status).toBe(204)
  const refused = (sent: Promise<unknown>) => expect(sent).rejects
  await refused(orgs().getOpenApiSpecBySlug(of, slug)).toMatchObject({ code: 404 })
  await refused(orgs().createOpenApiSpec(of, { slug: 'A', source: { text } })).toMatchObject({ code: 400 })
  await refused(orgs().createOpenApiSpec(of, { slug: 'client-put', source: { text } })).toMatchObject({ code: 409 })
  expect((await fetch(published)).status).toBe(404)
})

describe('a visitor of a site', () => {
  async function published(spaces: string[], of = organizationId, by = admin): Promise<PublishedClient> {
    const site = (await by.client.orgs.createSite(of, { title: 'Docs', spaces })).data
    const { urls } = (await by.client.orgs.publishSite(of, site.id)).data as { urls?: { published?: string } }
    const anybody = publishedClient(stack.url)
    const { data } = await anybody.urls.resolvePublishedContentByUrl({ url: urls?.published ?? '' })
    return publishedClient(stack.url, (data as { apiToken?: string }).apiToken ?? '')
  }
  const statusOf = (visitor: PublishedClient, slug: string, of = organizationId) =>
    visitor.orgs.getLatestOpenApiSpecVersionContent(of, slug).then(
      () => 200,
      (error: { code: number }) => error.code,
    )

  it('reads pages of a private specification, and its content, and follows its versions', async () => {
    await aSpecOf('/shown.json', 'shown', aSpecificationText('One'))
    await aSpecOf('/unseen.json', 'unseen', aSpecificationText())
    await Promise.all(['shown', 'unseen'].map(processed))
    const spaceId = await aReference('shown')
    await eventually(async () => expect(await pathsOf(spaceId)).toContain('toys'))
    const visitor = await published([spaceId])
    const seen = async () => {
      const { revision } = (await visitor.spaces.getSpaceById(spaceId)).data
      const { pages } = (await visitor.spaces.getRevisionById(spaceId, revision)).data
      return pages.map(({ title }) => title)
    }
    expect(await seen()).toEqual(['One', 'toys'])
    await eventually(async () => expect(await statusOf(visitor, 'shown')).toBe(200))
    expect(await statusOf(visitor, 'unseen')).toBe(404)
    web.set({ '/shown.json': aSpecificationText('Two') })
    await request(admin, 'POST', `/orgs/${organizationId}/openapi/shown/refresh`)
    await eventually(async () => expect(await seen()).toEqual(['Two', 'toys']))
  })

  it('reads nothing of another organization, whatever its pages name', async () => {
    const other = await anOrganization(stack)
    const spaceId = await aReference('shown', other.id, other.admin)
    expect(await pathsOf(spaceId, other.admin)).toEqual(['computed'])
    const visitor = await published([spaceId], other.id, other.admin)
    expect(await statusOf(visitor, 'shown')).toBe(404)
    expect(await statusOf(visitor, 'shown', other.id)).toBe(404)
  })
})

describe('an import of a specification', () => {
  const importing = async (spaceId: string, path: string) =>
    request(admin, 'POST', `/spaces/${spaceId}/content/import`, { url: `${web.url}${path}`, source: 'openapi' })

  it('makes pages once: of a document whose paths are in another file', async () => {
    const { id } = (await orgs().createSpace(organizationId, { title: 'Imported' } as never)).data
    const entry = { openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths: { '/toys': { $ref: 'toys.json' } } }
    const toys = { get: { tags: ['toys'], summary: 'List toys', responses: { 200: { description: 'Toys' } } } }
    web.set({ '/api/shop.json': JSON.stringify(entry), '/api/toys.json': JSON.stringify(toys) })
    expect(await importing(id, '/api/shop.json')).toMatchObject({ importedResources: 2, totalResources: 2 })
    expect(await pathsOf(id)).toEqual(['shop'])
    const { data } = await admin.client.spaces.getPageByPath(id, 'shop/toys', { format: 'markdown' })
    expect(data).toMatchObject({ markdown: expect.stringContaining(`src="${web.url}/api/shop.json" path="/toys"`) })
  })

  it('is refused with the reason', async () => {
    const { id } = (await orgs().createSpace(organizationId, { title: 'Refused' } as never)).data
    web.set({ '/broken.json': '{' })
    await expect(importing(id, '/broken.json')).rejects.toMatchObject({ code: 400 })
    await expect(importing(id, '/absent.json')).rejects.toMatchObject({ errorMessage: expect.stringMatching(/404/) })
  })
})

describe('when processes are killed', () => {
  it.each(specStages)('a specification is processed once: $name', async ({ slug }) => {
    await processed(slug)
    const spaceId = spaceBySlug.get(slug) ?? ''
    await eventually(async () => expect(await pathsOf(spaceId)).toContain('toys'))
    expect(await versionsOf(slug)).toHaveLength(1)
    expect(await computedRevisions(spaceId)).toHaveLength(1)
  })

  it('pages are refreshed once: content while it writes them', async () => {
    const { spaceId, before } = refreshed
    const titles = async () => (await admin.client.spaces.listPages(spaceId)).data.pages.map(({ title }) => title)
    await eventually(async () => expect(await titles()).toEqual(['Two', 'toys']))
    expect(await versionsOf('refreshed')).toHaveLength(2)
    expect(await computedRevisions(spaceId)).toHaveLength(before + 1)
  })
})
