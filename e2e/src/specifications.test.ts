import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { GitBookAPI } from '@gitbook/api'
import { aWebServer, eventually, replySchemas, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization, type Person } from './people.ts'
import { aSpecificationText } from './specifications.ts'
import { removeData, startStack, type Stack } from './stack.ts'

const schemas = replySchemas()
/** Milliseconds of a test that kills processes. */
const longTest = 300_000
/** Another attempt takes over what a process that was killed has not given a sign of for a while. */
const patient = { within: 120_000 }
const documentOf = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

let stack: Stack
let web: WebServer
let admin: Person
let organizationId: string
beforeAll(async () => {
  ;[stack, web] = await Promise.all([startStack({ env: { RATE_LIMIT: '1000000' } }), aWebServer()])
  ;({ admin, id: organizationId } = await anOrganization(stack))
}, 120_000)
afterAll(async () => {
  await stack.stop()
  await web.stop()
  await removeData(stack.dataDir)
})

const orgs = () => admin.client.orgs
const source = (spec: string) => ({
  ...{ type: 'builtin:openapi', props: { models: true } },
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
  }, patient)
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
const kill = (name: string) => process.kill(stack.pidOf(name), 'SIGKILL')

it.each([
  ['our own', '../../openapi.json'],
  ['that of the published client', '../../node_modules/@gitbook/api/spec/openapi.json'],
])(
  'a real document becomes pages: %s',
  async (_title, file) => {
    const [slug, path] = [`real-${file.length}`, `/real-${file.length}.json`]
    await aSpecOf(path, slug, documentOf(file))
    await processed(slug)
    const spaceId = await aReference(slug)
    await eventually(async () => expect((await pathsOf(spaceId)).length).toBeGreaterThan(2), patient)
    for (const pagePath of (await pathsOf(spaceId)).slice(0, 4)) {
      const { data } = await admin.client.spaces.getPageByPath(spaceId, pagePath, { format: 'document' })
      expect(schemas.validateReply('getPageByPath', 200, data)).toEqual([])
    }
  },
  longTest,
)

describe('a visitor of a site', () => {
  async function published(spaces: string[], of = organizationId, by = admin): Promise<GitBookAPI> {
    const site = (await by.client.orgs.createSite(of, { title: 'Docs', spaces })).data
    const { urls } = (await by.client.orgs.publishSite(of, site.id)).data as { urls?: { published?: string } }
    const anybody = new GitBookAPI({ endpoint: stack.url })
    const { data } = await anybody.urls.resolvePublishedContentByUrl({ url: urls?.published ?? '' })
    return new GitBookAPI({ endpoint: stack.url, authToken: (data as { apiToken?: string }).apiToken ?? '' })
  }
  const statusOf = (visitor: GitBookAPI, slug: string, of = organizationId) =>
    visitor.orgs.getLatestOpenApiSpecVersionContent(of, slug).then(
      () => 200,
      (error: { code: number }) => error.code,
    )

  it(
    'reads pages of a private specification, and its content, and follows its versions',
    async () => {
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
      await admin.client.request({
        path: `/orgs/${organizationId}/openapi/shown/refresh`,
        method: 'POST',
        secure: true,
      })
      await eventually(async () => expect(await seen()).toEqual(['Two', 'toys']), patient)
    },
    longTest,
  )

  it('reads nothing of another organization, whatever its pages name', async () => {
    const other = await anOrganization(stack)
    const spaceId = await aReference('shown', other.id, other.admin)
    expect(await pathsOf(spaceId, other.admin)).toEqual(['computed'])
    const visitor = await published([spaceId], other.id, other.admin)
    expect(await statusOf(visitor, 'shown')).toBe(404)
    expect(await statusOf(visitor, 'shown', other.id)).toBe(404)
  })
})

describe('a specification is processed once when its process is killed', () => {
  it(
    'while it fetches',
    async () => {
      web.set({ '/held.json': () => undefined })
      await aSpecOf('/held.json', 'held')
      await eventually(() => Promise.resolve(expect(web.requests('/held.json')).toBe(1)))
      kill('openapi-specs')
      web.set({ '/held.json': aSpecificationText() })
      await processed('held')
      expect(await versionsOf('held')).toHaveLength(1)
    },
    longTest,
  )

  it(
    'at any moment of reading and writing, and content hears of it',
    async () => {
      const text = documentOf('../../node_modules/@gitbook/api/spec/openapi.json')
      for (const [at, delay] of [0, 500, 1_500].entries()) {
        const [slug, path] = [`killed-${at}`, `/killed-${at}.json`]
        const spaceId = await eventually(() => aReference(slug), patient)
        await eventually(() => aSpecOf(path, slug, text), patient)
        await eventually(() => Promise.resolve(expect(web.requests(path)).toBeGreaterThan(0)), patient)
        await sleep(delay)
        kill('openapi-specs')
        await processed(slug)
        expect(await versionsOf(slug)).toHaveLength(1)
        await eventually(async () => expect((await pathsOf(spaceId)).length).toBeGreaterThan(2), patient)
      }
    },
    longTest,
  )
})
