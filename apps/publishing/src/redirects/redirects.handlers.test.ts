import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

const schemas = replySchemas()
let publishing: PublishingSetup
beforeAll(async () => void (publishing = await aPublishing()))
afterAll(() => publishing.stop())

let params: { organizationId: string; siteId: string }
let space: string
let destination: { kind: 'site-space'; siteSpaceId: string }
beforeEach(async () => {
  space = publishing.content.aSpace('Manual')
  const at = { organizationId: organization }
  const { id: siteId } = await creator().createSite({ params: at, body: { spaces: [space] } })
  params = { ...at, siteId }
  const { items } = await creator().listSiteSpaces({ params })
  destination = { kind: 'site-space', siteSpaceId: items[0]?.id ?? '' }
})
const creator = () => publishing.as('create')
const create = (source: string, to: object = destination) =>
  creator().createSiteRedirect({ params, body: { source, destination: to as never } })
const sources = async (query: object = {}) => {
  const page = await publishing.as('read').listSiteRedirects({ params, query })
  expect(schemas.validateReply('listSiteRedirects', 200, page)).toEqual([])
  return page.items.map(({ source }) => source)
}

it('redirects are created, found, changed and deleted', async () => {
  const page = publishing.content.add(space, 'page')
  const created = await create('/old/guide', { kind: 'site-page', siteSpaceId: destination.siteSpaceId, pageId: page })
  expect(schemas.validateReply('createSiteRedirect', 201, created)).toEqual([])
  expect(created).toMatchObject({ draft: false, captureWildcard: false, permanent: false })
  expect(Object.keys(created)).not.toContain('updatedAt')
  await create('/Other')
  expect(await sources()).toEqual(['/Other', '/old/guide'])
  expect(await sources({ search: 'OTH' })).toEqual(['/Other'])
  expect(await sources({ search: '%' })).toEqual([])
  const first = await creator().listSiteRedirects({ params, query: { limit: 1 } })
  expect([first.count, first.items.length]).toEqual([2, 1])
  expect(await sources({ limit: 1, page: first.next?.page })).toEqual(['/old/guide'])

  const at = { params: { ...params, siteRedirectId: created.id } }
  const changed = await creator().updateSiteRedirectById({ ...at, body: { destination } })
  expect(schemas.validateReply('updateSiteRedirectById', 200, changed)).toEqual([])
  expect(changed).toEqual({ ...created, destination, updatedAt: expect.any(String) })
  expect(await creator().updateSiteRedirectById({ ...at, body: { source: '/new' } })).toEqual({
    ...changed,
    source: '/new',
    updatedAt: expect.any(String),
  })
  for (const _twice of [1, 2]) await creator().deleteSiteRedirectById(at)
  expect(await sources()).toEqual(['/Other'])
  await expect(creator().updateSiteRedirectById({ ...at, body: { source: '/a' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

describe('a list of redirects', () => {
  const url = 'https://elsewhere.example/docs'
  beforeEach(async () => {
    const first = await create('/m')
    for (const source of ['/z', '/a']) await create(source)
    const at = { params: { ...params, siteRedirectId: first.id } }
    await creator().updateSiteRedirectById({ ...at, body: { permanent: true } })
    const body = { source: '/z', destination: { kind: 'external' as const, url }, draft: true }
    await creator().createSiteRedirect({ params, body })
  })

  it.each<[string, object, string[]]>([
    ['is of live redirects, the newest first', {}, ['/a', '/z', '/m']],
    ['is of drafts when they are asked for', { draft: 'true' }, ['/z']],
    ['is of live redirects without drafts', { draft: 'false', search: 'z' }, ['/z']],
    ['begins with the last one that was created', { orderBy: 'createdAt' }, ['/a', '/z', '/m']],
    ['begins with the last one that was changed or created', { orderBy: 'updatedAt' }, ['/m', '/a', '/z']],
    ['is in the order of sources', { orderBy: 'source' }, ['/a', '/m', '/z']],
  ])('%s', async (_title, query, expected) => {
    const list = (page: object) => publishing.as('read').listSiteRedirects({ params, query: { ...query, ...page } })
    const all: string[] = []
    for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
      const { items, count, next } = await list({ limit: 1, ...(page !== undefined && { page }) })
      expect(count).toBe(expected.length)
      all.push(...items.map(({ source }) => source))
      page = next?.page
    }
    expect(all).toEqual(expected)
  })

  it('refuses another order', async () => {
    const query = { orderBy: 'destination' as never }
    await expect(creator().listSiteRedirects({ params, query })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('has no drafts for those who do not see the site', async () => {
    for (const client of [publishing.as(null), publishing.as(undefined)])
      await expect(client.listSiteRedirects({ params, query: { draft: 'true' } })).rejects.toMatchObject({
        code: 'not_found',
      })
  })
})

it('a source is unique on its site', async () => {
  const first = await create('/one')
  const second = await create('/two')
  const taken = { code: 'conflict', message: 'body.source: another redirect of the site has it' }
  await expect(create('/one')).rejects.toMatchObject(taken)
  const update = (source: string) =>
    creator().updateSiteRedirectById({ params: { ...params, siteRedirectId: second.id }, body: { source } })
  await expect(update(first.source)).rejects.toMatchObject(taken)
  expect(await update('/two')).toEqual({ ...second, updatedAt: expect.any(String) })
  const other = await creator().createSite({ params: { organizationId: organization }, body: { spaces: [space] } })
  const at = { ...params, siteId: other.id }
  const siteSpaceId = (await creator().listSiteSpaces({ params: at })).items[0]?.id ?? ''
  const body = { source: '/one', destination: { ...destination, siteSpaceId } }
  expect(await creator().createSiteRedirect({ params: at, body })).toMatchObject({ source: '/one' })
})

it('a draft may have the source of a live redirect until it is live', async () => {
  const url = 'https://elsewhere.example/docs'
  const settings = { draft: true, captureWildcard: true, permanent: true }
  const body = { source: '/old/*', destination: { kind: 'external' as const, url }, ...settings }
  const draft = await creator().createSiteRedirect({ params, body })
  expect(draft).toMatchObject(body)
  await expect(creator().createSiteRedirect({ params, body })).rejects.toMatchObject({ code: 'conflict' })
  const live = await create('/old/*')
  const at = { params: { ...params, siteRedirectId: draft.id } }
  const publish = () => creator().updateSiteRedirectById({ ...at, body: { draft: false } })
  await expect(publish()).rejects.toMatchObject({ code: 'conflict' })
  await creator().deleteSiteRedirectById({ params: { ...params, siteRedirectId: live.id } })
  expect(await publish()).toEqual({ ...draft, draft: false, updatedAt: expect.any(String) })
})

describe('what a redirect may be', () => {
  it.each(['old', '/', '/old/', '//old', '/a b', '/a?b', '/é', '/*', '/a*b', '/a/*/b', '/a/**', `/${'x'.repeat(512)}`])(
    'not from %s',
    async source => {
      await expect(create(source)).rejects.toMatchObject({
        code: 'invalid_request',
        details: expect.arrayContaining([expect.objectContaining({ path: 'body.source' })]),
      })
    },
  )

  it('not with fields that no redirect has, when it is created or updated', async () => {
    const { id } = await create('/strict')
    const at = { params: { ...params, siteRedirectId: id } }
    const cases: [string, object][] = [
      ['body', { permanent: true, permanet: true }],
      ['body.destination', { destination: { kind: 'external', url: 'https://elsewhere.example/', anchor: 'top' } }],
    ]
    for (const [path, fields] of cases) {
      const fault = { code: 'invalid_request', details: [expect.objectContaining({ path })] }
      const whole = { source: '/strict-too', destination, ...fields }
      await expect(creator().createSiteRedirect({ params, body: whole })).rejects.toMatchObject(fault)
      await expect(creator().updateSiteRedirectById({ ...at, body: fields })).rejects.toMatchObject(fault)
    }
  })

  it('only to what is on the site', async () => {
    const elsewhere = publishing.content.add(publishing.content.aSpace('Elsewhere'), 'page')
    const { siteSpaceId } = destination
    const cases: [string, object][] = [
      ['siteSectionId', { kind: 'site-section', siteSectionId: 'nothing' }],
      ['siteSpaceId', { kind: 'site-space', siteSpaceId: 'nothing' }],
      ['siteSpaceId', { kind: 'site-page', siteSpaceId: 'nothing', pageId: elsewhere }],
      ['pageId', { kind: 'site-page', siteSpaceId, pageId: elsewhere }],
    ]
    for (const [field, to] of cases)
      await expect(create('/old', to)).rejects.toMatchObject({
        code: 'not_found',
        details: [expect.objectContaining({ path: `body.destination.${field}` })],
      })
    const section = await creator().addSectionToSite({ params, body: { spaceId: space } })
    expect(await create('/old', { kind: 'site-section', siteSectionId: section.id })).toBeDefined()
  })

  it.each([
    'ftp://elsewhere.example',
    'javascript:alert(1)',
    '/old',
    'https://user@elsewhere.example',
    'https://user:secret@elsewhere.example',
    'https:user@elsewhere.example',
    'https:\\\\user@elsewhere.example',
    `https://elsewhere.example/${'x'.repeat(2048)}`,
  ])('not to the URL %s', async url => {
    await expect(create('/old', { kind: 'external', url })).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path: 'body.destination.url' })]),
    })
  })

  it('to the page that has a path now', async () => {
    const { siteSpaceId } = destination
    const pageId = publishing.content.aPage(space, 'guide/page')
    const created = await create('/old', { kind: 'path', spaceId: space, path: '/guide/page' })
    expect(created.destination).toEqual({ kind: 'site-page', siteSpaceId, pageId })
    const cases: [string, object][] = [
      ['path', { kind: 'path', spaceId: space, path: 'nothing' }],
      ['spaceId', { kind: 'path', spaceId: publishing.content.aSpace('Elsewhere'), path: 'guide/page' }],
    ]
    for (const [field, to] of cases)
      await expect(create('/other', to)).rejects.toMatchObject({
        code: 'not_found',
        details: [expect.objectContaining({ path: `body.destination.${field}` })],
      })
  })

  it('to what is gone since: it stays', async () => {
    await create('/old')
    await creator().deleteSiteSpaceById({ params: { ...params, siteSpaceId: destination.siteSpaceId } })
    expect(await sources()).toEqual(['/old'])
  })
})

it('what a wildcard stands for is appended only where there is one', async () => {
  const body = { source: '/old', destination, captureWildcard: true }
  const fault = (name: string) => ({
    code: 'invalid_request',
    details: [expect.objectContaining({ path: `body.${name}` })],
  })
  await expect(creator().createSiteRedirect({ params, body })).rejects.toMatchObject(fault('captureWildcard'))
  const { id } = await creator().createSiteRedirect({ params, body: { ...body, source: '/old/*' } })
  const update = (changes: object) =>
    creator().updateSiteRedirectById({ params: { ...params, siteRedirectId: id }, body: changes })
  await expect(update({ source: '/new' })).rejects.toMatchObject(fault('source'))
  expect(await update({ source: '/new', captureWildcard: false })).toMatchObject({ source: '/new' })
  await expect(update({ captureWildcard: true })).rejects.toMatchObject(fault('captureWildcard'))
})

it('redirects are changed by those who manage sites', async () => {
  const { id } = await create('/old')
  const at = { ...params, siteRedirectId: id }
  const editor = publishing.as('edit')
  const refused = { code: 'forbidden' }
  await expect(editor.createSiteRedirect({ params, body: { source: '/a', destination } })).rejects.toMatchObject(
    refused,
  )
  await expect(editor.updateSiteRedirectById({ params: at, body: { source: '/a' } })).rejects.toMatchObject(refused)
  await expect(editor.deleteSiteRedirectById({ params: at })).rejects.toMatchObject(refused)
  await expect(publishing.as(null).listSiteRedirects({ params })).rejects.toMatchObject({ code: 'not_found' })
})
