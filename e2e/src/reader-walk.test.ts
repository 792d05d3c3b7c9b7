import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { evaluated, payloadOf, Reader, siteOf, visitorJwt, type SiteLookup, type Shown } from './reader.ts'
import { aRevalidatedReader, type RevalidatedReader } from './revalidated.ts'
import { aCustomization, anEvent } from './sites.ts'
import { removeData, startStack, type Stack } from './stack.ts'

const secret = 'secret of the reader'

let stack: Stack
let admin: Person
let organizationId: string
let reader: Reader
let cache: RevalidatedReader
/** A public site with two sections, the first of which has two variants. */
const docs = { siteId: '', host: '', manual: '', old: '', api: '', manualSiteSpace: '' }

const redirectTo = (location: string) => ({ status: 307, location })

beforeAll(async () => {
  cache = await aRevalidatedReader(secret)
  const limits = { REFUSAL_LIMIT: '100000', RATE_LIMIT: '100000' }
  stack = await startStack({ env: { ...limits, READER_URL: cache.url, READER_SECRET: secret } })
  reader = new Reader(stack.url)
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
  docs.manual = await aSpace('Manual', manual)
  docs.old = await aSpace('Old', [page('Home'), page('Install')])
  docs.api = await aSpace('Api', [page('Overview')])
  const { orgs } = admin.client
  const { siteId, host } = await aPublishedSite('Docs', [docs.manual])
  Object.assign(docs, { siteId, host })
  await orgs.updateSiteCustomizationById(organizationId, siteId, looks as never)
  await orgs.addSectionToSite(organizationId, siteId, { spaceId: docs.api, title: 'Api' })
  const { items } = (await orgs.listSiteSpaces(organizationId, siteId)).data
  docs.manualSiteSpace = items.find(({ space }) => space.id === docs.manual)?.id ?? ''
  await orgs.addSpaceToSite(organizationId, siteId, { spaceId: docs.old })
})

afterAll(async () => {
  await stack.stop()
  cache.stop()
  await removeData(stack.dataDir)
})

const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n\nWords of ${title}.\n` },
  ...more,
})
const manual = [
  page('Home'),
  page('Install', { ref: 'install' }),
  page('On Linux', { into: 'install' }),
  { operation: 'insert_page', type: 'group', title: 'Reference', ref: 'reference' },
  page('Options', { into: 'reference' }),
]
const looks = {
  ...aCustomization(),
  favicon: { icon: { light: 'https://a.test/i.png', dark: 'https://a.test/i.png' } },
}

async function aSpace(title: string, changes: object[]): Promise<string> {
  const { id } = (await admin.client.orgs.createSpace(organizationId, { title } as never)).data
  await sendOk(stack, admin, { method: 'POST', path: `/spaces/${id}/content`, body: { changes } })
  return id
}

async function aPublishedSite(title: string, spaces: string[], settings: object = {}) {
  const { orgs } = admin.client
  const { id: siteId } = (await orgs.createSite(organizationId, { title, spaces })).data
  await orgs.updateSiteById(organizationId, siteId, settings as never)
  const { data } = await orgs.publishSite(organizationId, siteId)
  const host = 'urls' in data ? (data.urls.published ?? '').replace(/\/$/, '') : ''
  return { siteId, host }
}

async function openPage(url: string, visit = {}): Promise<Extract<Shown, { status: 200 }>> {
  const reply = await reader.open(url, visit)
  if (!('page' in reply)) throw new Error(`${url} is answered with ${JSON.stringify(reply)}`)
  return reply
}
const titleAt = async (url: string, visit = {}) => (await openPage(url, visit)).page.title

describe('the reader shows a public site', () => {
  it('at its home, with three reads and one of the document', async () => {
    reader.forget()
    const { lookup, page: home } = await openPage(docs.host)
    expect(home.title).toBe('Home')
    expect(reader.requests).toEqual([
      'getPublishedContentSite',
      'getSpaceById',
      'getRevisionById',
      'getPageDocumentInRevisionById',
    ])
    expect(payloadOf(lookup.apiToken)).toMatchObject({ kind: 'site', claims: {} })
  })

  it('on another page with one more read, and on a page that it knows with none', async () => {
    await openPage(docs.host)
    expect(await titleAt(`${docs.host}/install/on-linux`)).toBe('On Linux')
    expect(reader.requests).toEqual(['getPageDocumentInRevisionById'])
    expect(await titleAt(`${docs.host}/install/on-linux`)).toBe('On Linux')
    expect(reader.requests).toEqual([])
  })

  it('in its sections and variants, wherever a segment is looked up', async () => {
    expect(await titleAt(`${docs.host}/api`)).toBe('Overview')
    expect((await openPage(`${docs.host}/api`)).lookup).toMatchObject({
      space: docs.api,
      basePath: '/api/',
      siteBasePath: '/',
      siteSection: expect.any(String),
    })
    expect((await openPage(`${docs.host}/old/install`)).lookup).toMatchObject({ space: docs.old, basePath: '/old/' })
    expect(await titleAt(`${docs.host}/v/old/install`)).toBe('Install')
    const lookedUp = await Promise.all(
      ['', '/api', '/install', '/install/on-linux', '/old'].map(path => reader.lookUp(`${docs.host}${path}`)),
    )
    const tokens = lookedUp.map(answer => ('lookup' in answer ? answer.lookup.space : answer))
    expect(tokens).toEqual([docs.manual, docs.api, docs.manual, docs.manual, docs.old])
  })

  it('with the first page of a group for the group', async () => {
    const reply = await reader.open(`${docs.host}/reference`)
    expect(reply).toMatchObject({ status: 307, location: expect.stringMatching(/^\/.*options$/) })
    expect(reader.requests).not.toContain('getPageInRevisionByPath')
  })

  it('with “not found” for a page that never was', async () => {
    expect(await reader.open(`${docs.host}/nope`)).toMatchObject({ status: 404 })
    expect(reader.requests.slice(-2)).toEqual(['getSiteRedirectBySource', 'getPageInRevisionByPath'])
  })

  it('with what sitemaps, llms.txt and Markdown of pages are made of', async () => {
    const { lookup } = await openPage(docs.host)
    const site = await reader.send('getPublishedContentSite', lookup, siteOf(lookup))
    const spaces = siteSpacesOf(site.data)
    expect(spaces.map(({ default: isDefault, urls }) => [isDefault, urls.published])).toEqual([
      [true, `${docs.host}/`],
      [false, `${docs.host}/old/`],
      [true, `${docs.host}/api/`],
    ])
    const { revision } = (await reader.send('getSpaceById', lookup, `/spaces/${lookup.space}`)).data as never
    const below = `/spaces/${lookup.space}/revisions/${revision}`
    const { pages } = (await reader.send('getRevisionById', lookup, below, { metadata: 'true' })).data as never
    for (const { id, title, type } of all(pages)) {
      if (type !== 'document') continue
      const markdown = await reader.send('getPageInRevisionById', lookup, `${below}/page/${id}`, { format: 'markdown' })
      expect((markdown.data as { markdown: string }).markdown).toMatch(new RegExp(`^# ${title}\n`))
      const document = `${below}/page/${id}/document`
      expect((await reader.send('getPageDocumentInRevisionById', lookup, document, evaluated)).status).toBe(200)
    }
  })

  it('with the web page that an embed shows', async () => {
    const { lookup } = await openPage(docs.host)
    const embed = await reader.send('getEmbedByUrlInSpace', lookup, `/spaces/${lookup.space}/embed`, {
      url: 'https://example.test/film',
    })
    expect(embed).toMatchObject({ status: 200, data: { type: 'link', site: 'example.test' } })
  })
})

interface SiteSpace {
  default: boolean
  urls: { published: string }
}
const siteSpacesOf = (site: unknown) =>
  (site as { structure: { structure: { siteSpaces: SiteSpace[] }[] } }).structure.structure.flatMap(
    ({ siteSpaces }) => siteSpaces,
  )
interface TreePage {
  id: string
  title: string
  type: string
  pages?: TreePage[]
}
const all = (pages: TreePage[]): TreePage[] => pages.flatMap(one => [one, ...all(one.pages ?? [])])

interface Result {
  id: string
  pages: { title: string; path: string; sections?: { path: string; body: string }[] }[]
}
const searched = async (lookup: SiteLookup, body: object) => {
  const { status, data } = await reader.search(lookup, body)
  expect(status).toBe(200)
  const results = (data as { items: Result[] }).items
  return results.map(({ id, pages }) => [id, ...pages.map(({ path }) => path)])
}

describe('the reader searches a site', () => {
  it('in the variant that the visitor reads, and everywhere for its tools', async () => {
    const { lookup } = await openPage(docs.host)
    const inManual = ['install', 'install/on-linux']
    const here = { query: 'install', mode: 'current', siteSpaceId: docs.manualSiteSpace }
    await eventually(async () => expect(await searched(lookup, here)).toEqual([[docs.manual, ...inManual]]))
    const everywhere = { query: 'install', mode: 'all' }
    await eventually(async () =>
      expect((await searched(lookup, everywhere)).toSorted()).toEqual(
        [
          [docs.manual, ...inManual],
          [docs.old, 'install'],
        ].toSorted(),
      ),
    )
  })
})

describe('the reader follows redirects', () => {
  it('of the site, and from where pages and their groups were', async () => {
    const { orgs } = admin.client
    const destination = { kind: 'site-space', siteSpaceId: docs.manualSiteSpace } as const
    await orgs.createSiteRedirect(organizationId, docs.siteId, { source: '/start', destination })
    expect(await reader.open(`${docs.host}/start`)).toEqual(redirectTo(`${docs.host}/`))

    const { pages } = (await admin.client.spaces.listPages(docs.api)).data as unknown as { pages: TreePage[] }
    const changes = [{ operation: 'update_page', page: pages[0]?.id, slug: 'summary' }]
    await sendOk(stack, admin, { method: 'POST', path: `/spaces/${docs.api}/content`, body: { changes } })
    await eventually(async () =>
      expect(await reader.open(`${docs.host}/api/overview`)).toEqual(redirectTo(`${docs.host}/api/summary`)),
    )
    expect(await titleAt(`${docs.host}/api/summary`)).toBe('Overview')
    expect(reader.requests).not.toContain('getSiteRedirectBySource')
  })
})

describe('the reader’s own requests', () => {
  it('count what visitors do, without a token', async () => {
    const path = `/orgs/${organizationId}/sites/${docs.siteId}/insights/events`
    const body = { events: [anEvent({ siteSpace: docs.manualSiteSpace })] }
    expect((await sendRaw(stack.url, undefined, { method: 'POST', path, body })).status).toBe(204)
  })

  it('are not needed to purge: it is told what changed, and shows it', async () => {
    cache.tags.length = 0
    const changes = [page('News')]
    await sendOk(stack, admin, { method: 'POST', path: `/spaces/${docs.manual}/content`, body: { changes } })
    await eventually(() => expect(cache.tags).toContain(`space:${docs.manual}`))
    reader.forget()
    expect(await titleAt(`${docs.host}/news`)).toBe('News')
    expect(cache.refused).toEqual([])
  })
})

describe('the reader shows previews', () => {
  it('of the change request whose id is in the path, and by a token also by its number and of revisions', async () => {
    const { revision } = (await admin.client.spaces.getSpaceById(docs.manual)).data
    const proposed = (await admin.client.spaces.createChangeRequest(docs.manual, { subject: 'More' })).data
    const changes = [page('Tour')]
    const path = `/spaces/${docs.manual}/change-requests/${proposed.id}/content`
    await sendOk(stack, admin, { method: 'POST', path, body: { changes } })
    expect(await titleAt(`${docs.host}/~/changes/${proposed.id}/tour`)).toBe('Tour')
    expect(reader.requests).toContain('getChangeRequestById')
    const withToken = { previewToken: admin.token }
    expect(await titleAt(`${docs.host}/~/revisions/${revision}/install`, withToken)).toBe('Install')
    expect(await titleAt(`${docs.host}/~/changes/${proposed.number}/tour`, withToken)).toBe('Tour')
    const nowhere = { status: 404, message: 'This path leads nowhere' }
    for (const path of [`revisions/${revision}/install`, `changes/${proposed.number}/tour`, 'revisions/nothing'])
      expect(await reader.open(`${docs.host}/~/${path}`)).toEqual(nowhere)
    expect(await reader.open(`${docs.host}/~/changes/nothing/tour`)).toMatchObject({ status: 404 })
    expect(await reader.open(`${docs.host}/tour`)).toMatchObject({ status: 404 })
  })

  it('of a site that is not published, to who has the address', async () => {
    const { orgs } = admin.client
    const site = (await orgs.createSite(organizationId, { title: 'Draft', spaces: [docs.api] })).data
    const { url } = (await orgs.getSitePublishingPreviewById(organizationId, site.id)).data
    const previewToken = new URL(url).searchParams.get('token') ?? ''
    const { page: visiblePage, lookup } = await openPage(`https://preview/${site.id}`, { previewToken })
    expect([visiblePage.title, lookup.siteBasePath]).toEqual(['Overview', `/${site.id}/`])
    expect(await reader.open(`https://preview/${site.id}`)).toMatchObject({ status: 404 })
  })
})

describe('the reader shows a site of secret links', () => {
  it('below the key of a link, which it sends where the specification has it, and nothing at another one', async () => {
    const { siteId, host } = await aPublishedSite('Shared', [docs.manual], { visibility: 'share-link' })
    const link = (await admin.client.orgs.createSiteShareLink(organizationId, siteId, { name: 'Friends' })).data
    const address = (link.urls.published ?? '').replace(/\/$/, '')
    const { lookup, page: visiblePage } = await eventually(() => openPage(`${address}/install`))
    const key = new URL(address).pathname.slice(1)
    expect([visiblePage.title, lookup.shareKey]).toEqual(['Install', key])
    expect([lookup.basePath, lookup.siteBasePath]).toEqual([`/${key}/`, `/${key}/`])
    const site = await reader.send('getPublishedContentSite', lookup, siteOf(lookup), { shareKey: key })
    expect(JSON.stringify(site.data)).toContain(`"published":"${address}/"`)
    const space = await reader.send('getSpaceById', lookup, `/spaces/${lookup.space}`, { shareKey: key })
    expect((space.data as { urls: { published: string } }).urls.published).toBe(`${address}/`)
    const message = 'This site is shared by secret links, and this is none of them'
    for (const url of [host, `${host}/wrong/install`])
      expect(await reader.open(url)).toMatchObject({ status: 404, message })
    await admin.client.orgs.deleteSiteShareLinkById(organizationId, siteId, link.id)
    expect(await stillReads(lookup)).toBe(401)
    await eventually(async () => expect(await reader.open(address)).toMatchObject({ status: 404, message }))
  })
})

const stillReads = async ({ apiToken, space }: SiteLookup) =>
  (await sendRaw(stack.url, { token: apiToken }, { method: 'GET', path: `/spaces/${space}` })).status

describe('the reader shows a site with a login', () => {
  it('after it sent the visitor to the login and they came back', async () => {
    const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
    const hidden = await aSpace('Closed', [
      page('Welcome'),
      page('Prices', { condition: 'visitor.claims.plan == "pro"' }),
    ])
    const { siteId, host } = await aPublishedSite('Closed', [hidden], settings)
    const { orgs } = admin.client
    const auth = (await orgs.getSitePublishingAuthById(organizationId, siteId)).data as { privateKey: string }
    const fallbackURL = 'https://login.test/start'
    await orgs.updateSitePublishingAuthById(organizationId, siteId, { backend: 'custom', fallbackURL } as never)
    await eventually(async () =>
      expect(await reader.open(`${host}/prices`)).toEqual(redirectTo('https://login.test/start?location=%2Fprices')),
    )
    const pro = { jwtToken: visitorJwt(auth.privateKey, { plan: 'pro' }) }
    expect((await openPage(`${host}/prices`, pro)).page.title).toBe('Prices')
    const free = { jwtToken: visitorJwt(auth.privateKey, { plan: 'free' }) }
    expect(await reader.open(`${host}/prices`, free)).toMatchObject({ status: 404 })
    expect((await openPage(host, free)).page.title).toBe('Welcome')

    const late = { jwtToken: visitorJwt(auth.privateKey, { plan: 'pro' }, -60) }
    expect(await reader.open(host, late)).toMatchObject({ status: 403, message: 'The login has expired' })
    expect(await reader.open(host, { ...late, redirectOnError: true })).toMatchObject({ status: 307 })
  })
})
