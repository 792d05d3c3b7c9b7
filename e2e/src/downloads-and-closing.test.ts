import { api } from '@recto/contracts'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sendOk } from './people.ts'
import { aPublishedSite, aSpace, ask, readerSites, type ReaderSites } from './reader-sites.ts'
import { aSecondGateway } from './second-gateway.ts'

let sites: ReaderSites

beforeAll(async () => {
  sites = await readerSites()
})

afterAll(async () => {
  await sites.stop()
})

/** A PNG of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const changes = [
  { operation: 'insert_files', files: [{ name: 'dot.png', ref: 'dot', base64: dot }] },
  { operation: 'insert_page', title: 'Picture', document: { markdown: '# Picture\n\n![A dot](ref:dot)\n' } },
]

/** A published site with a file in it, and where its visitors open it. */
interface Opened {
  siteId: string
  spaceId: string
  shareLinkId: string
  /** Its published address. */
  address: string
  /** Its address at the reader. */
  reader: string
}

const orgs = () => sites.admin.client.orgs
const organizationId = () => sites.organizationId
const update = ({ siteId }: Opened, settings: object) =>
  orgs().updateSiteById(organizationId(), siteId, settings as never)

async function aSite(settings: object = {}): Promise<Opened> {
  const spaceId = await aSpace(sites, 'Closing', changes)
  const openSpace = await aSpace(sites, 'Kept', changes)
  const { siteId, name } = await aPublishedSite(sites, { title: 'Closing', spaces: [spaceId, openSpace], settings })
  const { data } = await orgs().getSiteById(organizationId(), siteId)
  const address = data.urls.published ?? ''
  return { siteId, spaceId, shareLinkId: '', address, reader: `${sites.reader}/${name}/` }
}

async function aSharedSite(): Promise<Opened> {
  const site = await aSite({ visibility: 'share-link' })
  const { data } = await orgs().createSiteShareLink(organizationId(), site.siteId, { name: 'Friends' })
  const address = data.urls.published ?? ''
  const [key = ''] = new URL(address).pathname.split('/').filter(Boolean)
  return { ...site, shareLinkId: data.id, address, reader: `${site.reader}${key}` }
}

/** The reply to a lookup of an address. */
interface Lookup {
  apiToken: string
  space: string
  changeRequest?: string
}

async function lookUp(url: string, previewToken?: string): Promise<Lookup> {
  const { stack } = sites
  const who = previewToken === undefined ? undefined : { token: previewToken }
  return sendOk<Lookup>(stack, who as never, { method: 'POST', path: '/urls/published', body: { url } })
}

interface Revision {
  files: { id: string; downloadURL: string }[]
  pages: { id: string }[]
}

/** The addresses of the file in all replies that hold one. */
async function addressesFor(token: string, { space }: Lookup): Promise<string[]> {
  const read = <Reply>(path: string) => sendOk<Reply>(sites.stack, { token }, { method: 'GET', path })
  const { revision } = await read<{ revision: string }>(`/spaces/${space}`)
  const { files, pages } = await read<Revision>(`/spaces/${space}/revisions/${revision}`)
  const page = `/spaces/${space}/revisions/${revision}/page/${pages[0]?.id}?format=markdown`
  const { markdown } = await read<{ markdown: string }>(page)
  const inText = /http[\w.:/-]+\/files\/[\w-]+\/[\w.-]+/.exec(markdown)?.[0]
  return [...files.map(({ downloadURL }) => downloadURL), ...(inText === undefined ? [] : [inText])]
}

const statusesOf = (urls: string[]) => Promise.all(urls.map(async url => (await ask(url)).status))
const all = (urls: string[], status: number) => urls.map(() => status)

/** Addresses of the reader at which it serves something of a site. */
async function readerPaths(reader: string): Promise<string[]> {
  const { text } = await ask(reader)
  const root = reader.replace(/\/$/, '')
  const file = /~recto\/files\/[^"]+dot\.png/.exec(text)?.[0] ?? 'no file'
  const lists = [
    'robots.txt',
    'rss.xml',
    'llms.txt',
    'llms-full.txt',
    '~recto/search.json?q=dot',
    '~recto/search?q=dot',
  ]
  return [reader, ...['picture.md', file, ...lists].map(path => `${root}/${path}`)]
}

const closings: [string, () => Promise<Opened>, (site: Opened) => Promise<unknown>][] = [
  ['its site is unpublished', aSite, ({ siteId }) => orgs().unpublishSite(organizationId(), siteId)],
  ['its site is deleted', aSite, ({ siteId }) => orgs().deleteSiteById(organizationId(), siteId)],
  ['its site needs a login', aSite, site => update(site, { visibility: 'visitor-auth' })],
  ['its site is shared by links', aSite, site => update(site, { visibility: 'share-link' })],
  ['its link is revoked', aSharedSite, site => orgs().updateSiteShareLinkById(...linkOf(site), { active: false })],
  ['its link is deleted', aSharedSite, site => orgs().deleteSiteShareLinkById(...linkOf(site))],
]
const linkOf = ({ siteId, shareLinkId }: Opened) => [organizationId(), siteId, shareLinkId] as const

/** Closings after which the site shows something else at the same address. */
const changesOfSites: typeof closings = [
  ['claims count', aSite, site => update(site, { adaptiveContent: { enabled: true } })],
  ['agents are excluded', aSite, site => update(site, { agentsContext: 'excluded' })],
  ['its space is deleted', aSite, ({ spaceId }) => sites.admin.client.spaces.deleteSpaceById(spaceId)],
  ['its space leaves the site', aSite, removeSpace],
]

async function removeSpace({ siteId, spaceId }: Opened): Promise<void> {
  const { items } = (await orgs().listSiteSpaces(organizationId(), siteId)).data
  const { id = '' } = items.find(({ space }) => space.id === spaceId) ?? {}
  await orgs().deleteSiteSpaceById(organizationId(), siteId, id)
}

describe('a download that a visitor was given ends, and that of a member stays, when', () => {
  it.each([...closings, ...changesOfSites])('%s', async (_case, open, close) => {
    const site = await open()
    const lookup = await eventually(() => lookUp(site.address))
    const visitor = await addressesFor(lookup.apiToken, lookup)
    const member = await addressesFor(sites.admin.token, lookup)
    expect([visitor.length, member.length > 0]).toEqual([2, true])
    expect(await statusesOf([...visitor, ...member])).toEqual(all([...visitor, ...member], 200))
    await close(site)
    await eventually(async () => expect(await statusesOf(visitor)).toEqual(all(visitor, 403)))
    expect(await statusesOf(member)).toEqual(all(member, 200))
  })

  it.each(closings)('%s: nothing of the site is left at the reader', async (_case, open, close) => {
    const site = await open()
    const paths = await eventually(async () => {
      const paths = await readerPaths(site.reader)
      expect(await statusesOf(paths)).toEqual(all(paths, 200))
      return paths
    })
    await close(site)
    await eventually(async () => {
      const statuses = await statusesOf(paths)
      // Without an address of its login server, a site that needs a login refuses in words.
      expect(statuses.filter(status => status !== 404 && status !== 403)).toEqual([])
    })
  })

  it('its space is deleted: the address that the reader has for it ends, too', async () => {
    const site = await aSite()
    const [, , file = ''] = await eventually(() => readerPaths(site.reader))
    expect((await ask(file)).status).toBe(200)
    await sites.admin.client.spaces.deleteSpaceById(site.spaceId)
    await eventually(async () => expect((await ask(file)).status).toBe(404))
  })
})

it('a download stays ended at a gateway that starts after the closing', async () => {
  const site = await aSite()
  const open = await aSite()
  const addresses = await Promise.all(
    [site, open].map(async ({ address }) => {
      const lookup = await eventually(() => lookUp(address))
      return (await addressesFor(lookup.apiToken, lookup))[0] ?? ''
    }),
  )
  await orgs().unpublishSite(organizationId(), site.siteId)
  const second = await aSecondGateway(sites.stack)
  try {
    const there = addresses.map(url => `${second.url}${new URL(url).pathname}`)
    expect(await statusesOf(there)).toEqual([403, 200])
  } finally {
    await second.stop()
  }
})

describe('a download of a preview ends, when', () => {
  it('the site of a change request is unpublished', async () => {
    const site = await aSite()
    const { id } = (await sites.admin.client.spaces.createChangeRequest(site.spaceId, { subject: 'News' } as never))
      .data
    const { apiToken, changeRequest } = await eventually(() => lookUp(`${site.address}~/changes/${id}`))
    expect(changeRequest).toBe(id)
    const [url = ''] = await addressesFor(apiToken, { apiToken, space: site.spaceId })
    expect((await ask(url)).status).toBe(200)
    await orgs().unpublishSite(organizationId(), site.siteId)
    await eventually(async () => expect((await ask(url)).status).toBe(403))
  })

  it.each<[string, (site: Opened) => Promise<unknown>]>([
    [
      'its space is deleted, before anything is published',
      ({ spaceId }) => sites.admin.client.spaces.deleteSpaceById(spaceId),
    ],
    ['its site is deleted', ({ siteId }) => orgs().deleteSiteById(organizationId(), siteId)],
  ])('%s', async (_case, close) => {
    const site = await aSite()
    await orgs().unpublishSite(organizationId(), site.siteId)
    const preview = await orgs().getSitePublishingPreviewById(organizationId(), site.siteId)
    const token = new URL(preview.data.url).searchParams.get('token') ?? ''
    const lookup = await lookUp(`https://preview/${site.siteId}`, token)
    const [url = ''] = await addressesFor(lookup.apiToken, lookup)
    expect((await ask(url)).status).toBe(200)
    await close(site)
    await eventually(async () => expect((await ask(url)).status).toBe(403))
  })
})

describe('caches on the way keep nothing of a site for a minute after its closing', () => {
  /** Seconds for which a reply may be shown without asking again. */
  const ageOf = (caching: string) => {
    if (/\bno-(?:store|cache)\b/.test(caching)) return 0
    expect(caching).not.toMatch(/immutable|stale-/)
    return Number(/max-age=(\d+)/.exec(caching)?.[1] ?? Number.POSITIVE_INFINITY)
  }

  it('by the headers of everything that the reader serves of it', async () => {
    const site = await aSite()
    const paths = await eventually(() => readerPaths(site.reader))
    for (const path of [...paths, `${site.reader}sitemap.xml`, `${site.reader}nothing`]) {
      const { headers } = await ask(path)
      expect([path, ageOf(headers['cache-control'] ?? '') <= 15]).toEqual([path, true])
    }
  })

  it('by the headers of every operation that a token of a visitor reads, and of the downloads in them', async () => {
    const site = await aSite()
    const lookup = await eventually(() => lookUp(site.address))
    const { apiToken: token, space: spaceId } = lookup
    const { revision } = await sendOk<{ revision: string }>(
      sites.stack,
      { token },
      { method: 'GET', path: `/spaces/${spaceId}` },
    )
    const ids: Record<string, string> = {
      organizationId: organizationId(),
      siteId: site.siteId,
      spaceId,
      revisionId: revision,
    }
    const rows = Object.values(api).flatMap(
      operations => Object.values(operations) as { route?: string; access?: { callers?: string[] } }[],
    )
    const routes = rows.flatMap(({ route, access }) =>
      access?.callers?.includes('visitor') && route?.startsWith('GET ') ? [route] : [],
    )
    expect(routes.length).toBeGreaterThan(10)
    for (const route of routes) {
      const path = route.slice('GET '.length).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? 'nothing')
      const { headers } = await ask(`${sites.stack.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
      expect([route, ageOf(headers['cache-control'] ?? '') <= 15]).toEqual([route, true])
    }
    for (const url of await addressesFor(token, lookup)) {
      const { headers } = await ask(url)
      expect(ageOf(headers['cache-control'] ?? '')).toBeLessThanOrEqual(15)
    }
  })
})
