import { hash } from 'node:crypto'
import { query } from '@recto/database'
import { aWebServer, eventually, replySchemas, type WebServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { aDocument } from '../test/documents.ts'
import { aSpecService, organization, type SpecsSetup } from '../test/specs-setup.ts'

const schemas = replySchemas()
const params = (specSlug: string) => ({ organizationId: organization, specSlug })

let specs: SpecsSetup
let web: WebServer
beforeAll(async () => {
  ;[specs, web] = await Promise.all([aSpecService(), aWebServer()])
})
afterAll(() => Promise.all([specs.stop(), web.stop()]))

const editor = () => specs.as('create')
const reader = () => specs.as('read')
const get = async (slug: string) => {
  const spec = await reader().getOpenAPISpecBySlug({ params: params(slug) })
  expect(schemas.validateReply('getOpenAPISpecBySlug', 200, spec)).toEqual([])
  return spec
}
const processed = (slug: string) =>
  eventually(async () => {
    const spec = await get(slug)
    expect(spec.processingState).toBe('complete')
    return spec
  })
const create = async (slug: string, source: { url?: string; text?: string }) => {
  const created = await editor().createOpenAPISpec({ params: { organizationId: organization }, body: { slug, source } })
  expect(schemas.validateReply('createOpenAPISpec', 201, created)).toEqual([])
  return processed(slug)
}
const versionsOf = async (slug: string) => {
  const versions = await reader().listOpenAPISpecVersions({ params: params(slug), query: {} })
  expect(schemas.validateReply('listOpenAPISpecVersions', 200, versions)).toEqual([])
  return versions.items
}

describe('a specification', () => {
  it('of a text is processed at once, as JSON or YAML', async () => {
    const spec = await create('text', { text: JSON.stringify(aDocument()) })
    expect(spec).toMatchObject({ slug: 'text', visibility: 'private', lastVersion: expect.any(String) })
    expect([spec.lastProcessErrorCode, spec.sourceURL, spec.urls.published]).toEqual([undefined, undefined, undefined])
    const yaml = 'openapi: 3.0.3\ninfo: {title: Toys, version: "1"}\npaths: {}\n'
    expect(await create('yaml', { text: yaml })).toMatchObject({ lastVersion: expect.any(String) })
  })

  it('has a slug of its own in its organization, and exactly one source without credentials', async () => {
    await create('taken', { text: JSON.stringify(aDocument()) })
    const body = { slug: 'taken', source: { text: '{}' } }
    const organizationId = organization
    await expect(editor().createOpenAPISpec({ params: { organizationId }, body })).rejects.toMatchObject({
      code: 'conflict',
      message: 'body.slug: is taken',
    })
    const faulty: [object, string][] = [
      [{ slug: 'A b', source: { text: '{}' } }, 'body.slug'],
      [{ slug: 'x', source: {} }, 'body.source'],
      [{ slug: 'x', source: { url: 'http://a.test/', text: '{}' } }, 'body.source'],
      [{ slug: 'x', source: { url: 'http://user:password@a.test/' } }, 'body.source.url'],
      [{ slug: 'x', source: { url: 'http:///user:password@a.test/' } }, 'body.source.url'],
      [{ slug: 'x', source: { url: 'file:///etc/passwd' } }, 'body.source.url'],
    ]
    for (const [sent, path] of faulty)
      await expect(
        editor().createOpenAPISpec({ params: { organizationId }, body: sent as typeof body }),
      ).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
  })

  it('is created by PUT where there is none, and gets another source where there is', async () => {
    const put = (text: string) =>
      editor().createOrUpdateOpenAPISpecBySlug({ params: params('put'), body: { source: { text } } })
    const first = await put(JSON.stringify(aDocument()))
    await processed('put')
    const second = await put(JSON.stringify(aDocument({ title: 'Other' })))
    expect(second.id).toBe(first.id)
    await processed('put')
    expect(await versionsOf('put')).toHaveLength(2)
    await expect(
      editor().createOrUpdateOpenAPISpecBySlug({ params: params('No Slug'), body: { source: { text: '{}' } } }),
    ).rejects.toMatchObject({ details: [{ path: 'params.specSlug' }] })
    const atOnce = await Promise.all(
      [1, 2, 3].map(() =>
        editor().createOrUpdateOpenAPISpecBySlug({ params: params('at-once'), body: { source: { text: '{}' } } }),
      ),
    )
    expect(new Set(atOnce.map(({ id }) => id)).size).toBe(1)
  })

  it('is seen by members, changed by those who create, and unknown to guests and outsiders', async () => {
    await create('roles', { text: JSON.stringify(aDocument()) })
    const calls = (role: Parameters<SpecsSetup['as']>[0]) => {
      const client = specs.as(role)
      return [
        client.getOpenAPISpecBySlug({ params: params('roles') }),
        client.listOpenAPISpecs({ params: params('roles'), query: {} }),
        client.updateOpenAPISpecBySlug({ params: params('roles'), body: { visibility: 'private' } }),
        client.refreshOpenAPISpec({ params: params('roles') }),
      ]
    }
    const codes = async (role: Parameters<SpecsSetup['as']>[0]) =>
      Promise.all(
        calls(role).map(call =>
          call.then(
            () => 'ok',
            (error: { code: string }) => error.code,
          ),
        ),
      )
    expect(await codes('create')).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(await codes('read')).toEqual(['ok', 'ok', 'forbidden', 'forbidden'])
    expect(await codes(null)).toEqual(['not_found', 'forbidden', 'not_found', 'not_found'])
    expect(new Set(await codes(undefined))).toEqual(new Set(['not_found']))
    expect((await get('roles')).permissions).toEqual({ view: true, edit: false })
  })

  it('is deleted with its versions, also when it is not there', async () => {
    await create('gone', { text: JSON.stringify(aDocument()) })
    for (let time = 0; time < 2; time += 1) await editor().deleteOpenAPISpecBySlug({ params: params('gone') })
    await expect(get('gone')).rejects.toMatchObject({ code: 'not_found' })
    await expect(editor().getLatestOpenAPISpecVersion({ params: params('gone') })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the source of a specification', () => {
  it('is asked for again, and makes a version only when its content changed', async () => {
    const state = { document: JSON.stringify(aDocument()), asked: [] as (string | undefined)[] }
    web.set({
      '/changing.json': (response, request) => {
        const etag = `"${hash('sha1', state.document)}"`
        state.asked.push(request.headers['if-none-match'])
        if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
        response.writeHead(200, { etag }).end(state.document)
      },
    })
    const spec = await create('changing', { url: `${web.url}/changing.json` })
    expect(spec.sourceURL).toBe(`${web.url}/changing.json`)
    const refresh = async () => {
      const requestsBefore = state.asked.length
      await editor().refreshOpenAPISpec({ params: params('changing') })
      await eventually(() => expect(state.asked.length).toBeGreaterThan(requestsBefore))
      return processed('changing')
    }
    expect((await refresh()).lastVersion).toBe(spec.lastVersion)
    expect(state.asked).toEqual([undefined, expect.any(String)])
    state.document = `${JSON.stringify(aDocument())}   `
    expect((await refresh()).lastVersion).toBe(spec.lastVersion)
    state.document = JSON.stringify(aDocument({ title: 'Changed' }))
    const changed = await refresh()
    expect(changed.lastVersion).not.toBe(spec.lastVersion)
    expect((await versionsOf('changing')).map(({ id }) => id)).toEqual([changed.lastVersion, spec.lastVersion])
    const first = await reader().getOpenAPISpecVersionContentById({
      params: { ...params('changing'), versionId: spec.lastVersion ?? '' },
    })
    expect(first.filesystem).toMatchObject({ info: { title: 'Toys' } })
    expect(schemas.validateReply('getOpenAPISpecVersionContentById', 200, first)).toEqual([])
  })

  it('keeps the last good version when it cannot be read any more', async () => {
    web.set({ '/breaking.json': JSON.stringify(aDocument()) })
    const spec = await create('breaking', { url: `${web.url}/breaking.json` })
    web.set({ '/breaking.json': 'no specification' })
    await editor().refreshOpenAPISpec({ params: params('breaking') })
    await eventually(async () => expect((await get('breaking')).lastProcessErrorCode).toBe('PARSE_ERROR'))
    expect((await get('breaking')).lastVersion).toBe(spec.lastVersion)
    const latest = await reader().getLatestOpenAPISpecVersion({ params: params('breaking') })
    expect(schemas.validateReply('getLatestOpenAPISpecVersion', 200, latest)).toEqual([])
    expect(latest.id).toBe(spec.lastVersion)
  })

  it('is what the latest attempt reads, whatever an earlier one reads later', async () => {
    const replies: ((title: string) => void)[] = []
    web.set({
      '/raced.json': response => {
        replies.push(title => void response.end(JSON.stringify({ ...aDocument({ title }), components: shared })))
      },
      '/shared.json': '{"type": "string"}',
    })
    const shared = { schemas: { Toy: { $ref: `${web.url}/shared.json` } } }
    const body = { slug: 'raced', source: { url: `${web.url}/raced.json` } }
    await editor().createOpenAPISpec({ params: { organizationId: organization }, body })
    await eventually(() => expect(replies).toHaveLength(1))
    await editor().refreshOpenAPISpec({ params: params('raced') })
    await eventually(() => expect(replies).toHaveLength(2))
    // The attempt that lost its lease goes on until its next sign of life, or was ended by it: both are right.
    replies[0]?.('Earlier')
    // The threads read the earlier document, if it is read, before this one.
    await create('behind', { text: JSON.stringify(aDocument()) })
    replies[1]?.('Later')
    await processed('raced')
    const { filesystem } = await reader().getLatestOpenAPISpecVersionContent({ params: params('raced') })
    expect(filesystem).toMatchObject({ info: { title: 'Later' } })
    expect(await versionsOf('raced')).toHaveLength(1)
  })

  it('is fetched by one of several replicas, and once when it is due', async () => {
    const paths = Array.from({ length: 40 }, (_, at) => `/due-${at}.json`)
    const slugOf = (path: string) => path.slice(1, -'.json'.length)
    web.set(Object.fromEntries(paths.map(path => [path, JSON.stringify(aDocument())])))
    await Promise.all(paths.map(path => create(slugOf(path), { url: `${web.url}${path}` })))
    const { db } = specs.service
    const due = async () => (await query(db, `select id from openapi_specs where due_at <= now()`)).length
    await query(db, `update openapi_specs set due_at = now() where slug like 'due-%'`)
    // A replica looks for what is due when it starts.
    await Promise.all([specs.anotherReplica(), specs.anotherReplica()])
    await eventually(async () => expect(await due()).toBe(0))
    expect(paths.filter(path => web.requests(path) !== 2)).toEqual([])
    for (const path of paths) expect(await versionsOf(slugOf(path))).toHaveLength(1)
  })

  it('is not read for ever while that ends every process, but at its next poll', async () => {
    const path = '/deadly.json'
    web.set({ [path]: JSON.stringify(aDocument()) })
    const { lastVersion } = await create('deadly', { url: `${web.url}${path}` })
    const { db } = specs.service
    const silent = `state = 'progress', attempts = 3, lease = 'a', due_at = now(), heartbeat_at = now() - interval '1 hour'`
    await query(db, `update openapi_specs set ${silent} where slug = 'deadly'`)
    await create('beside', { text: JSON.stringify(aDocument()) })
    const spec = await processed('deadly')
    expect(spec).toMatchObject({ lastVersion, lastProcessErrorCode: 'PARSE_ERROR' })
    expect(spec.lastProcessedErrors).toMatchObject([{ code: 'GAVE_UP' }])
    expect(web.requests(path)).toBe(1)
    await query(db, `update openapi_specs set due_at = now() where slug = 'deadly' and due_at > now()`)
    await create('another-beside', { text: JSON.stringify(aDocument()) })
    await eventually(() => expect(web.requests(path)).toBe(2))
    expect((await processed('deadly')).lastProcessErrorCode).toBeUndefined()
    expect(await versionsOf('deadly')).toHaveLength(1)
  })
})

describe('a public specification', () => {
  it('can be downloaded by anybody, and only while it is public', async () => {
    await create('public', { text: JSON.stringify(aDocument()) })
    const download = () => specs.anonymous.downloadOpenAPISpec({ params: params('public') })
    await expect(download()).rejects.toMatchObject({ code: 'not_found' })
    const body = { visibility: 'public' as const }
    const updated = await editor().updateOpenAPISpecBySlug({ params: params('public'), body })
    expect(updated.urls.published).toBe(`http://recto.test/v1/orgs/${organization}/openapi/public/published.json`)
    expect(await download()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { title: 'Toys' } })
    const yaml = await specs.anonymous.downloadOpenAPISpecAsYaml({ params: params('public') })
    expect(yaml).toContain('title: Toys')
    expect(parse(yaml)).toEqual(await download())
    const content = await specs.visitor(organization).getLatestOpenAPISpecVersionContent({ params: params('public') })
    expect(schemas.validateReply('getLatestOpenAPISpecVersionContent', 200, content)).toEqual([])
    await expect(
      specs.visitor('another').getLatestOpenAPISpecVersionContent({ params: params('public') }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await editor().updateOpenAPISpecBySlug({ params: params('public'), body: { visibility: 'private' } })
    await expect(download()).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      specs.visitor(organization).getLatestOpenAPISpecVersionContent({ params: params('public') }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(
      await reader().getOpenAPISpecVersionById({
        params: { ...params('public'), versionId: (await get('public')).lastVersion ?? '' },
      }),
    ).toMatchObject({ object: 'openapi-spec-version' })
  })
})

describe('a private specification', () => {
  const content = (by: ReturnType<typeof specs.visitor>, slug: string) =>
    by.getLatestOpenAPISpecVersionContent({ params: params(slug) }).then(
      ({ filesystem }) => filesystem['openapi'],
      (error: { code: string }) => error.code,
    )

  it('is read by visitors of a space that shows it, in its last version only', async () => {
    const url = `${web.url}/private.json`
    web.set({ '/private.json': JSON.stringify(aDocument()) })
    const first = await create('private', { url })
    specs.visibleSpecs.add('manual private')
    const visitor = specs.visitor(organization, ['other', 'manual'])
    expect(await content(visitor, 'private')).toMatch(/^3\.1/)
    expect(await content(specs.visitor(organization, ['other']), 'private')).toBe('not_found')
    expect(await content(specs.visitor('another', ['manual']), 'private')).toBe('not_found')
    expect(await content(visitor, 'nothing')).toBe('not_found')
    web.set({ '/private.json': JSON.stringify(aDocument({ title: 'Later' })) })
    await editor().refreshOpenAPISpec({ params: params('private') })
    const latest = await eventually(async () => {
      const { lastVersion = '' } = await get('private')
      expect(lastVersion).not.toBe(first.lastVersion)
      return lastVersion
    })
    const version = (versionId = '') =>
      visitor.getOpenAPISpecVersionContentById({ params: { ...params('private'), versionId } })
    expect(await version(latest)).toMatchObject({ filesystem: { info: { title: 'Later' } } })
    await expect(version(first.lastVersion)).rejects.toMatchObject({ code: 'not_found' })
  })
})
