import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { eventually, replySchemas } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { publishedClient } from './published-client.ts'
import { aSecondGateway } from './second-gateway.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const schemas = replySchemas()

let stack: Installation
let second: Awaited<ReturnType<typeof aSecondGateway>>
let admin: Person
let organizationId: string
let spaceId: string
let siteId: string
let host: string

interface Content {
  apiToken: string
  space: string
  site: string
  pathname: string
}

beforeAll(async () => {
  stack = await sharedStack()
  second = await aSecondGateway(stack)
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
  spaceId = await aSpace('Manual', ['Home', 'Install'])
  const site = await admin.client.orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })
  const published = await admin.client.orgs.publishSite(organizationId, site.data.id)
  siteId = site.data.id
  host = 'urls' in published.data ? (published.data.urls.published ?? '').replace(/\/$/, '') : ''
})

afterAll(async () => {
  await second.stop()
})

async function aSpace(title: string, pages: string[]): Promise<string> {
  const { id } = (await admin.client.orgs.createSpace(organizationId, { title } as never)).data
  const changes = pages.map(page => ({ operation: 'insert_page', title: page, document: { markdown: `# ${page}\n` } }))
  await sendOk(stack, admin, { method: 'POST', path: `/spaces/${id}/content`, body: { changes } })
  return id
}

async function lookUp(url: string): Promise<Content> {
  const anybody = publishedClient(stack.url)
  const { data } = await anybody.urls.resolvePublishedContentByUrl({ url })
  expect(schemas.validateReply('resolvePublishedContentByUrl', 200, data)).toEqual([])
  return data as never
}
const reading = (token: string) => publishedClient(stack.url, token)
const asVisitor = (token: string): Person => ({ token }) as Person

describe('a visitor of a published site', () => {
  it('finds it, and reads it as a reader does', async () => {
    const { apiToken, space, site, pathname } = await lookUp(`${host}/install`)
    expect([space, site, pathname]).toEqual([spaceId, siteId, '/install'])
    const client = reading(apiToken)
    const profile = (await client.orgs.getPublishedContentSite(organizationId, siteId)).data
    expect(schemas.validateReply('getPublishedContentSite', 200, profile)).toEqual([])
    const read = (await client.spaces.getSpaceById(spaceId)).data
    expect(read.urls.published).toBe(`${host}/`)
    const revision = (await client.spaces.getRevisionById(spaceId, read.revision)).data
    expect(revision.pages.map(({ title }) => title)).toEqual(['Home', 'Install'])
    const page = revision.pages[1]?.id ?? ''
    const evaluated = { evaluated: 'deterministic-only' } as never
    const document = await client.spaces.getPageDocumentInRevisionById(spaceId, read.revision, page, evaluated)
    expect(JSON.stringify(document.data)).toContain('document')
    const markdown = await client.spaces.getPageInRevisionById(spaceId, read.revision, page, { format: 'markdown' })
    expect(markdown.data).toMatchObject({ markdown: expect.stringContaining('# Install') })
    const pageReply = await client.spaces.getPageInRevisionByPath(spaceId, read.revision, 'install')
    expect(pageReply.data.id).toBe(page)
    expect((await lookUp(host)).apiToken).toBe(apiToken)
  })

  it('gets the published addresses and the visibility of the space', async () => {
    await eventually(async () =>
      expect((await admin.client.spaces.getSpaceById(spaceId)).data).toMatchObject({
        visibility: 'public',
        urls: { published: `${host}/`, public: `${host}/` },
      }),
    )
  })

  it('finds pages in a search, and by the paths that they had', async () => {
    const { apiToken } = await lookUp(host)
    const client = reading(apiToken)
    const search = async (body: object) => {
      const page = (await client.orgs.searchSiteContent(organizationId, siteId, { query: 'install', ...body } as never))
        .data
      expect(schemas.validateReply('searchSiteContent', 200, page)).toEqual([])
      return page.items.map(({ id, title, pages }) => [id, title, ...pages.map(({ path }) => path)])
    }
    await eventually(async () => expect(await search({ mode: 'all' })).toEqual([[spaceId, 'Manual', 'install']]))
    const { siteSpace = '' } = (await lookUp(host)) as { siteSpace?: string }
    expect(await search({ mode: 'current', siteSpaceId: siteSpace })).toHaveLength(1)
    expect(await search({ scope: { mode: 'default' } })).toHaveLength(1)

    const { revision } = (await client.spaces.getSpaceById(spaceId)).data
    const page = (await client.spaces.getPageInRevisionByPath(spaceId, revision, 'install')).data.id
    const rename = (slug: string) =>
      sendOk(stack, admin, {
        method: 'POST',
        path: `/spaces/${spaceId}/content`,
        body: { changes: [{ operation: 'update_page', page, slug }] },
      })
    await rename('setup')
    await eventually(async () => {
      const redirect = (await client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/install' })).data
      expect(schemas.validateReply('getSiteRedirectBySource', 200, redirect)).toEqual([])
      expect([redirect.target, redirect.redirect.destination]).toMatchObject([`${host}/setup`, { pageId: page }])
    })
    await rename('install')
    await expect(
      client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/install' }),
    ).rejects.toMatchObject({ code: 404 })
  })

  it('of another site gets neither its search nor its redirects', async () => {
    const space = await aSpace('Other', ['Install'])
    const other = (await admin.client.orgs.createSite(organizationId, { title: 'Other', spaces: [space] })).data
    const published = (await admin.client.orgs.publishSite(organizationId, other.id)).data
    const url = 'urls' in published ? (published.urls.published ?? '') : ''
    const client = reading((await lookUp(url)).apiToken)
    const body = { query: 'install', mode: 'all' } as never
    await expect(client.orgs.searchSiteContent(organizationId, siteId, body)).rejects.toMatchObject({ code: 404 })
    await expect(
      client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/install' }),
    ).rejects.toMatchObject({ code: 404 })
    expect((await client.orgs.searchSiteContent(organizationId, other.id, body)).data.count).toBeLessThan(2)
    await admin.client.orgs.deleteSiteById(organizationId, other.id)
  })

  it('may use no operation that is not for visitors, and nothing of another organization', async () => {
    const { apiToken } = await lookUp(host)
    const visitor = asVisitor(apiToken)
    const rows: [string, Operation][] = Object.values(api).flatMap(operations => Object.entries(operations))
    const refused: [string, number][] = []
    for (const [id, row] of rows) {
      if (row.access?.public || row.access?.callers?.includes('visitor')) continue
      const { method, path } = routeOf(row) as { method: string; path: string }
      const filled = path
        .replace('{spaceId}', spaceId)
        .replace('{organizationId}', organizationId)
        .replace('{siteId}', siteId)
        .replaceAll(/\{\w+\}/g, 'x')
      refused.push([id, (await sendRaw(stack.url, visitor, { method, path: filled })).status])
    }
    expect(refused.filter(([, status]) => status !== 403)).toEqual([])
    expect(refused.length).toBeGreaterThan(200)

    const other = await anOrganization(stack)
    const foreign = await other.admin.client.orgs.createSpace(other.id, { title: 'Theirs' } as never)
    const unpublished = await aSpace('Drafts', ['Secret'])
    for (const id of [foreign.data.id, unpublished])
      expect((await sendRaw(stack.url, visitor, { method: 'GET', path: `/spaces/${id}` })).status).toBe(404)
  })

  it('loses what is closed at once: the token after a change that closes something, and all of it when unpublished', async () => {
    const status = async (token: string) =>
      (await sendRaw(stack.url, asVisitor(token), { method: 'GET', path: `/spaces/${spaceId}` })).status
    const { apiToken } = await lookUp(host)
    expect(await status(apiToken)).toBe(200)
    const more = await aSpace('More', ['More'])
    const { id } = (await admin.client.orgs.addSpaceToSite(organizationId, siteId, { spaceId: more })).data
    expect(await status(apiToken)).toBe(200)
    await admin.client.orgs.deleteSiteSpaceById(organizationId, siteId, id)
    expect(await status(apiToken)).toBe(401)
    const later = await lookUp(host)
    expect(await status(later.apiToken)).toBe(200)
    await admin.client.orgs.unpublishSite(organizationId, siteId)
    expect(await status(later.apiToken)).toBe(401)
    await expect(lookUp(host)).rejects.toMatchObject({ code: 404, errorMessage: 'There is no site at this address' })
    await admin.client.orgs.publishSite(organizationId, siteId)
    expect(await status((await lookUp(host)).apiToken)).toBe(200)
  })

  it('loses at once what both gateways have kept of a space: when it is deleted, and when its site closes', async () => {
    const { revision } = (await admin.client.spaces.getSpaceById(spaceId)).data
    const path = `/spaces/${spaceId}/revisions/${revision}`
    const read = (token: string) =>
      Promise.all(
        [stack.url, second.url].map(async url => {
          const first = await sendRaw(url, asVisitor(token), { method: 'GET', path })
          return first.status
        }),
      )
    const hits = async () => {
      const text = await (await fetch(`${second.url}/metrics`)).text()
      return Number(/cache_requests_total\{cache="replies",result="hit"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0)
    }
    const lookUpSite = () => eventually(async () => lookUp(host))
    const { apiToken } = await lookUpSite()
    const before = await hits()
    await eventually(async () => {
      expect(await read(apiToken)).toEqual([200, 200])
      expect(await hits()).toBeGreaterThan(before)
    })
    for (let turn = 0; turn < 5; turn += 1) {
      const { apiToken: token } = await lookUpSite()
      for (const _time of [1, 2]) expect(await read(token)).toEqual([200, 200])
      await admin.client.spaces.deleteSpaceById(spaceId)
      expect(await read(token)).not.toContain(200)
      // The site follows the space: a token of before that would end a moment later.
      await eventually(async () => expect(lookUp(host)).rejects.toMatchObject({ code: 404 }))
      await admin.client.spaces.restoreSpace(spaceId)
    }
    const { apiToken: last } = await lookUpSite()
    expect(await read(last)).toEqual([200, 200])
    await admin.client.orgs.updateSiteById(organizationId, siteId, { visibility: 'share-link' } as never)
    expect(await read(last)).toEqual([401, 401])
    await admin.client.orgs.updateSiteById(organizationId, siteId, { visibility: 'public' } as never)
  })

  it('does not see a space that was deleted, and sees it again when it is restored', async () => {
    await lookUp(host)
    await admin.client.spaces.deleteSpaceById(spaceId)
    await eventually(async () => expect(lookUp(host)).rejects.toMatchObject({ code: 404 }))
    await admin.client.spaces.restoreSpace(spaceId)
    await eventually(async () => expect((await lookUp(host)).space).toBe(spaceId))
  })
})
