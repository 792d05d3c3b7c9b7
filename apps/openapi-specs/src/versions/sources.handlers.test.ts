import type { Role } from '@recto/actor'
import { headerJson, requestReply } from '@recto/bus'
import { openApiSpecsApi } from '@recto/contracts-openapi-specs'
import { query } from '@recto/database'
import { aWebServer, eventually, replySchemas, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aDocument } from '../test/documents.ts'
import {
  actorWith,
  aSpecService,
  aVisitor,
  organization,
  type SpecsClient,
  type SpecsSetup,
} from '../test/specs-setup.ts'

/** In the query of the source, which its owner set. */
const ownersSecret = 'owners-secret'
/** In the address that redirects lead to, whose length is over that of the published schema. */
const signature = `signed-${'x'.repeat(2_100)}`

const schemas = replySchemas()
const params = (specSlug: string) => ({ organizationId: organization, specSlug })
const location = (slug: string) => `http://recto.test/v1/orgs/${organization}/openapi/${slug}`
const contentOf = (slug: string, version = '') => `${location(slug)}/versions/${version}/content`

let specs: SpecsSetup
let web: WebServer
let elsewhere: WebServer
beforeAll(async () => {
  ;[specs, web, elsewhere] = await Promise.all([aSpecService(), aWebServer(), aWebServer()])
})
afterAll(() => Promise.all([specs.stop(), web.stop(), elsewhere.stop()]))

const editor = () => specs.as('create')
const visitor = () => specs.visitor(organization, ['manual'])
type Source = { url: string } | { text: string }

/** Sets the source of a specification, and waits until it was read. */
async function read(slug: string, source: Source) {
  await editor().createOrUpdateOpenAPISpecBySlug({ params: params(slug), body: { source } })
  return eventually(async () => {
    const spec = await editor().getOpenAPISpecBySlug({ params: params(slug) })
    expect(spec.processingState).toBe('complete')
    return spec
  })
}

/** A source that redirects to a signed address, beside which a schema is. */
function aSignedSource(name: string, document: string = aReferring(name)): string {
  const path = `/${name}.json?key=${ownersSecret}`
  const signed = `/bucket-of-${name}/openapi.json`
  web.set({
    [`/${name}.json`]: response =>
      void response.writeHead(302, { location: `${web.url}${signed}?signature=${signature}` }).end(),
    [signed]: document,
    [`/bucket-of-${name}/toy.json`]: '{"type": "object"}',
  })
  return `${web.url}${path}`
}
const aReferring = (title: string) =>
  JSON.stringify(aDocument({ title, components: { schemas: { Toy: { $ref: './toy.json' } } } }))

/** The replies of every operation that reads, in one text. */
async function everything(by: SpecsClient, slug: string): Promise<string> {
  const reads = Object.entries(openApiSpecsApi).filter(([, { route }]) => route.startsWith('GET '))
  const replies = reads.map(([name]) => {
    const operation = by[name as 'getOpenAPISpecVersionContentById']
    return operation({ params: { ...params(slug), versionId: versions[slug] ?? '' }, query: {} } as never)
  })
  const settled = await Promise.allSettled(replies)
  const all = settled.map(end => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message))
  return JSON.stringify(all)
}
const versions: Record<string, string> = {}

describe('the source of a version', () => {
  it('is the one that was set, as much of it as the caller may learn', async () => {
    const url = aSignedSource('toys')
    const spec = await read('toys', { url })
    expect(spec.lastProcessedErrors).toBeUndefined()
    specs.visibleSpecs.add('manual toys')
    const versionId = spec.lastVersion ?? ''
    const own = contentOf('toys', versionId)
    const byCaller: [SpecsClient, string][] = [
      [editor(), url],
      [specs.as('admin'), url],
      ...(['read', 'comment', 'edit', 'review'] as Role[]).map(
        role => [specs.as(role), `${web.url}/toys.json`] as never,
      ),
      [visitor(), own],
    ]
    for (const [by, expected] of byCaller) {
      const of = { params: { ...params('toys'), versionId } }
      const contents = [await by.getLatestOpenAPISpecVersionContent(of), await by.getOpenAPISpecVersionContentById(of)]
      for (const content of contents) {
        expect(content.url).toBe(expected)
        expect(schemas.validateReply('getOpenAPISpecVersionContentById', 200, content)).toEqual([])
      }
      if (expected === own) continue
      const { items } = await by.listOpenAPISpecVersions({ ...of, query: {} })
      const all = [await by.getLatestOpenAPISpecVersion(of), await by.getOpenAPISpecVersionById(of), ...items]
      expect(all.map(version => version.url)).toEqual([expected, expected, expected])
      expect((await by.getOpenAPISpecBySlug(of)).sourceURL).toBe(expected)
      const listed = (await by.listOpenAPISpecs({ ...of, query: {} })).items.find(({ slug }) => slug === 'toys')
      expect(listed?.sourceURL).toBe(expected)
    }
  })

  it('is in no reply to those who may not learn it, and where redirects led is in none', async () => {
    const { lastVersion = '' } = await read('swept', { url: aSignedSource('swept') })
    versions['swept'] = lastVersion
    specs.visibleSpecs.add('manual swept')
    const body = { visibility: 'public' as const }
    await editor().updateOpenAPISpecBySlug({ params: params('swept'), body })
    const texts = {
      editor: await everything(editor(), 'swept'),
      reader: await everything(specs.as('read'), 'swept'),
      guest: await everything(specs.as(null), 'swept'),
      visitor: await everything(visitor(), 'swept'),
      anonymous: await everything(specs.anonymous, 'swept'),
      log: specs.logged(),
      outbox: JSON.stringify(await query(specs.service.db, 'select * from outbox')),
      stored: JSON.stringify(await query(specs.service.db, 'select * from openapi_spec_versions')),
    }
    const holding = (word: string) =>
      Object.entries(texts).flatMap(([name, text]) => (text.includes(word) ? [name] : []))
    expect(holding('swept')).toEqual(['editor', 'reader', 'guest', 'visitor', 'anonymous', 'outbox', 'stored'])
    expect(holding('bucket-of-')).toEqual([])
    expect(holding('signed-')).toEqual([])
    expect(holding(ownersSecret)).toEqual(['editor', 'stored'])
    expect(holding(web.url)).toEqual(['editor', 'reader', 'stored'])
  })

  it('stays when the specification gets another one', async () => {
    const urls = [aSignedSource('first'), aSignedSource('second')] as const
    const versionIds = [
      await read('changing', { url: urls[0] }),
      await read('changing', { text: JSON.stringify(aDocument({ title: 'Text' })) }),
      await read('changing', { url: urls[1] }),
    ].map(({ lastVersion = '' }) => lastVersion)
    const { items } = await editor().listOpenAPISpecVersions({ params: params('changing'), query: {} })
    expect(items.map(({ id, url }) => [id, url])).toEqual([
      [versionIds[2], urls[1]],
      [versionIds[1], contentOf('changing', versionIds[1])],
      [versionIds[0], urls[0]],
    ])
  })

  it('of a version from before it was kept has no query where redirects may have led there', async () => {
    const source = `${web.url}/old.json?key=${ownersSecret}`
    web.set({ '/old.json': JSON.stringify(aDocument()) })
    const { lastVersion = '' } = await read('old', { url: source })
    const cases: [string | null, string][] = [
      [source, source],
      [`${web.url}/elsewhere.json?signature=${signature}`, `${web.url}/elsewhere.json`],
      [`${web.url}/${'x'.repeat(2_100)}`, contentOf('old', lastVersion)],
      [null, contentOf('old', lastVersion)],
    ]
    for (const [url, expected] of cases) {
      const sql = 'update openapi_spec_versions set url = $2, source_url = null where id = $1'
      await query(specs.service.db, sql, [lastVersion, url])
      const version = await editor().getLatestOpenAPISpecVersion({ params: params('old') })
      expect(version.url).toBe(expected)
      expect(schemas.validateReply('getLatestOpenAPISpecVersion', 200, version)).toEqual([])
    }
  })

  it('has at most 2,048 characters', async () => {
    const start = `${web.url}/long.json?`
    const url = (length: number) => start.padEnd(length, 'x')
    const body = (length: number) => ({ source: { url: url(length) } })
    const details = [{ path: 'body.source.url', message: 'must have at most 2048 characters' }]
    const refused = { code: 'invalid_request', details }
    const put = (length: number) =>
      editor().createOrUpdateOpenAPISpecBySlug({ params: params('long'), body: body(length) })
    await expect(put(2_049)).rejects.toMatchObject(refused)
    const create = { params: { organizationId: organization }, body: { slug: 'longer', ...body(2_049) } }
    await expect(editor().createOpenAPISpec(create)).rejects.toMatchObject(refused)
    web.set({ '/long.json': JSON.stringify(aDocument()) })
    expect((await put(2_048)).sourceURL).toBe(url(2_048))
    const { lastVersion } = await read('long', { url: url(2_048) })
    const version = await editor().getLatestOpenAPISpecVersion({ params: params('long') })
    expect([version.id, version.url]).toEqual([lastVersion, url(2_048)])
    expect(schemas.validateReply('getLatestOpenAPISpecVersion', 200, version)).toEqual([])
  })
})

describe('the errors of a source', () => {
  const referring = ($ref: string) => JSON.stringify(aDocument({ components: { schemas: { Toy: { $ref } } } }))
  const secret = `of=${ownersSecret}`
  it.each<[string, () => string, string]>([
    ['a-word', () => 'nothing', 'The source is no object of JSON or YAML'],
    ['a-file-beside-it', () => referring('./toy.json'), '"toy.json cannot be read: '],
    ['a-file-above-it', () => referring('../toy.json'), '"../toy.json cannot be read: '],
    [
      'a-file-of-its-server',
      () => referring(`${web.url}/there/toy.json?${secret}`),
      '"../there/toy.json cannot be read',
    ],
    ['a-file-elsewhere', () => referring(`${elsewhere.url}/toy.json?${secret}`), '/toy.json cannot be read: '],
  ])('do not say where redirects led, nor what queries say: %s', async (name, document, message) => {
    const url = aSignedSource(name, document())
    const half = '{"a": '
    web.set({ [`/bucket-of-${name}/toy.json`]: half, '/toy.json': half, '/there/toy.json': half })
    elsewhere.set({ '/toy.json': half })
    const { lastProcessedErrors: errors = [] } = await read(name, { url })
    const text = JSON.stringify(errors)
    expect(text).toContain(message)
    const imported = JSON.stringify(await specs.calls.readSpecification({ body: { url } }))
    expect(imported).toContain(message)
    for (const secret of ['bucket-of-', 'signed-', ownersSecret]) {
      expect(text).not.toContain(secret)
      expect(imported).not.toContain(secret)
    }
  })

  it('name a reference that is not followed without its query', async () => {
    const { lastProcessedErrors: errors = [] } = await read('unfollowed', { text: referring(`file:///x?${secret}`) })
    expect(errors[0]?.message).toMatch(/^The reference \S+\/x is not followed/)
  })

  it('that an earlier version kept are shown without queries', async () => {
    await read('kept', { text: '{}' })
    const errors = JSON.stringify([
      { code: 'X', message: `At https://me:${ownersSecret}@a.test/x?k=${ownersSecret}#y.` },
    ])
    await query(specs.service.db, `update openapi_specs set errors = $1 where slug = 'kept'`, [errors])
    const { lastProcessedErrors } = await editor().getOpenAPISpecBySlug({ params: params('kept') })
    expect(lastProcessedErrors).toEqual([{ code: 'X', message: 'At https://a.test/x' }])
  })
})

it('the entity tag of a content differs between those who learn its source and those who do not', async () => {
  await read('tagged', { url: aSignedSource('tagged') })
  specs.visibleSpecs.add('manual tagged')
  const tagFor = async (actor: object) => {
    const { etag } = await requestReply(specs.gateway, {
      subject: 'api.openapi-specs.getLatestOpenAPISpecVersionContent',
      params: headerJson({ params: params('tagged'), query: {} }),
      actor: headerJson(actor),
      timeout: 5_000,
    })
    return etag
  }
  const actors = [actorWith('create'), actorWith('read'), actorWith('comment'), aVisitor(organization, ['manual'])]
  const tags = await Promise.all(actors.map(tagFor))
  expect(new Set(tags).size).toBe(3)
  expect(tags[1]).toBe(tags[2])
})

it('a private specification is not read any more by visitors of a site that has changed since', async () => {
  await read('unpublished', { text: JSON.stringify(aDocument()) })
  specs.visibleSpecs.add('manual unpublished')
  const content = (version: number) =>
    specs
      .visitor(organization, ['manual'], version)
      .getLatestOpenAPISpecVersionContent({ params: params('unpublished') })
  expect(await content(1)).toMatchObject({ filesystem: { info: { title: 'Toys' } } })
  specs.visibleSpecs.delete('manual unpublished')
  await expect(content(2)).rejects.toMatchObject({ code: 'not_found' })
})
