import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, type PublishingSetup } from '../test/publishing-setup.ts'

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
const change = async (redirects: object[], client = creator()) =>
  (await client.bulkUpsertSiteRedirects({ params, body: { redirects: redirects as never } })).results
const redirects = async (draft: 'true' | 'false' = 'false') =>
  (await creator().listSiteRedirects({ params, query: { draft, orderBy: 'source', limit: 1000 } })).items

it('redirects are created, replaced, published and deleted at once', async () => {
  const pageId = publishing.content.aPage(space, 'guide')
  const url = 'https://elsewhere.example/'
  const first = await change([
    { source: '/%61', destination },
    { source: '/b/*', destination: { kind: 'external', url }, captureWildcard: true, permanent: true },
    { source: '/b/*', intent: 'draft', destination },
    { source: '/c', intent: 'draft', destination: { kind: 'path', spaceId: space, path: 'guide' } },
  ])
  expect(first).toEqual([
    { status: 'created', source: '/a', draft: false, id: expect.any(String) },
    { status: 'created', source: '/b/*', draft: false, id: expect.any(String) },
    { status: 'created', source: '/b/*', draft: true, id: expect.any(String) },
    { status: 'created', source: '/c', draft: true, id: expect.any(String) },
  ])
  const [a, b] = await redirects()
  expect(b).toMatchObject({ destination: { kind: 'external', url }, captureWildcard: true, permanent: true })
  expect((await redirects('true'))[1]).toMatchObject({
    source: '/c',
    destination: { kind: 'site-page', siteSpaceId: destination.siteSpaceId, pageId },
  })
  const second = await change([
    { source: '/a', destination: null },
    { source: '/b/*', intent: 'publish' },
    { source: '/c', intent: 'draft', destination },
    { source: '/nothing', destination: null },
  ])
  expect(second.map(({ status }) => status)).toEqual(['deleted', 'published', 'updated', 'deleted'])
  expect(await change([{ source: '/c', intent: 'publish' }])).toMatchObject([{ status: 'published' }])
  expect(await redirects('true')).toEqual([])
  const after = await redirects()
  expect(after.map(({ source }) => source)).toEqual(['/b/*', '/c'])
  expect(after[0]).toMatchObject({ id: b?.id, createdAt: b?.createdAt, destination, updatedAt: expect.any(String) })
  expect(after.map(({ id }) => id)).not.toContain(a?.id)
})

it('500 redirects are changed at once', async () => {
  const pageId = publishing.content.add(space, 'page')
  const many = Array.from({ length: 500 }, (_none, at) => ({
    source: `/page-${at}`,
    destination: { kind: 'site-page', siteSpaceId: destination.siteSpaceId, pageId },
  }))
  expect((await change(many)).every(({ status }) => status === 'created')).toBe(true)
  expect((await change(many)).every(({ status }) => status === 'updated')).toBe(true)
  expect(await redirects()).toHaveLength(500)
  await expect(change([...many, { source: '/one-more', destination }])).rejects.toMatchObject({
    code: 'invalid_request',
    details: [expect.objectContaining({ path: 'body.redirects' })],
  })
})

describe('one faulty change', () => {
  const page = { kind: 'site-page', siteSpaceId: '', pageId: 'nothing' }
  it.each<[string, string, object, string]>([
    ['invalid_request', 'source', { source: 'old', destination: null }, 'a source that is no path'],
    ['invalid_request', 'source', { source: 'old', intent: 'publish' }, 'the source of a draft that is no path'],
    ['invalid_request', 'intent', { source: '/old', intent: 'later', destination: null }, 'an intent that is none'],
    ['invalid_request', 'destination', { source: '/old' }, 'no destination'],
    ['invalid_request', 'source', { source: '/%6eew', destination: null }, 'the redirect of another change'],
    ['invalid_request', '', { source: '/old/*', destination: null, wildcard: true }, 'a field that it does not have'],
    [
      'invalid_request',
      'destination',
      { source: '/old', destination: { kind: 'external', url: 'https://x.example', append: true } },
      'a field that a destination does not have',
    ],
    [
      'invalid_request',
      'captureWildcard',
      { source: '/old', destination: { kind: 'external', url: 'https://x.example' }, captureWildcard: true },
      'nothing that could be appended',
    ],
    [
      'invalid_request',
      'destination.url',
      { source: '/old', destination: { kind: 'external', url: 'ftp://x.example' } },
      'a URL that is not of the web',
    ],
    [
      'not_found',
      'destination.siteSectionId',
      { source: '/old', destination: { kind: 'site-section', siteSectionId: 'nothing' } },
      'a section that is not there',
    ],
    ['not_found', 'destination.pageId', { source: '/old', destination: page }, 'a page that is not there'],
    [
      'not_found',
      'destination.path',
      { source: '/old', destination: { kind: 'path', spaceId: '', path: 'nothing' } },
      'a path without a page',
    ],
    ['not_found', 'source', { source: '/old', intent: 'publish' }, 'a draft that is not there'],
  ])('is %s at its %s, and nothing is changed', async (code, field, faulty) => {
    await change([{ source: '/kept', destination }])
    const before = await redirects()
    const ids = { siteSpaceId: destination.siteSpaceId, spaceId: space }
    const filled = JSON.parse(JSON.stringify(faulty), (key, value: unknown) =>
      value === '' ? ids[key as keyof typeof ids] : value,
    ) as object
    const batch = [{ source: '/new', destination }, { source: '/kept', destination: null }, filled]
    await expect(change(batch)).rejects.toMatchObject({
      code,
      details: [expect.objectContaining({ path: ['body.redirects.2', field].filter(Boolean).join('.') })],
    })
    expect(await redirects()).toEqual(before)
  })
})

it('redirects are changed at once by those who manage sites', async () => {
  const batch = [{ source: '/a', destination }]
  await expect(change(batch, publishing.as('edit'))).rejects.toMatchObject({ code: 'forbidden' })
  await expect(change(batch, publishing.as(null))).rejects.toMatchObject({ code: 'not_found' })
  expect(await redirects()).toEqual([])
})
