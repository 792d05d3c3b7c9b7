import { bulkSiteRedirects, publishingApi, siteExternalLinks, siteMcpServers } from '@recto/contracts-publishing'
import { aToolServer } from '@recto/testing'
import { beforeAll, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { publishedClient } from './published-client.ts'
import { routeCalls } from './route-calls.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { checkedReplies } from './walk.ts'

const { checked, publishedOf } = checkedReplies()
const S = '/orgs/{organizationId}/sites/{siteId}'

let stack: Installation
let admin: Person
let organizationId: string
let siteId: string
let call: ReturnType<typeof routeCalls>
beforeAll(async () => {
  stack = await sharedStack()
  ;({ admin, id: organizationId } = await anOrganization(stack))
  const { orgs } = admin.client
  const spaceId = (await orgs.createSpace(organizationId, { title: 'Manual' } as never)).data.id
  siteId = (await orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data.id
  call = routeCalls(stack, { who: admin, ids: { organizationId, siteId, spaceId }, check: checked })
})

interface Listed {
  items: { id: string; title: string; path: string; draft: boolean }[]
}

it('A space of a site is duplicated as a draft, which visitors do not see', async () => {
  const { items } = await call<Listed>(`GET ${S}/site-spaces`)
  const names = { siteSpaceId: items[0]?.id ?? '' }
  const copy = await call<object>(`POST ${S}/site-spaces/{siteSpaceId}/duplicate`, { names, body: { draft: true } })
  expect(copy).toMatchObject({ title: 'Manual (copy)', draft: true })
  expect((await call<Listed>(`GET ${S}/site-spaces`)).items.map(({ draft }) => draft)).toEqual([false, true])
  await admin.client.orgs.publishSite(organizationId, siteId)
  const { urls } = (await admin.client.orgs.getSiteById(organizationId, siteId)).data
  const { data } = await publishedClient(stack.url).urls.resolvePublishedContentByUrl({ url: urls.published ?? '' })
  const visitor = publishedClient(stack.url, 'apiToken' in data ? data.apiToken : '')
  const published = checked(`GET ${S}/published`, await visitor.orgs.getPublishedContentSite(organizationId, siteId))
  expect(published.structure.structure).toMatchObject([{ id: names.siteSpaceId }])
})

it('A template fills an empty site, beside whose sections a link leads elsewhere', async () => {
  const filled = { siteId: (await admin.client.orgs.createSite(organizationId, { title: 'Empty' })).data.id }
  await call(`POST ${S}/template`, { names: filled })
  const sections = ['Documentation', 'API reference', 'Changelog']
  expect((await call<Listed>(`GET ${S}/sections`, { names: filled })).items.map(({ title }) => title)).toEqual(sections)
  await expect(call(`POST ${S}/template`, { names: filled })).rejects.toThrow('only an empty one')
  // With a link it is valid for the document of today alone.
  const path = `/orgs/${organizationId}/sites/${filled.siteId}/structure`
  const titles = async () => {
    const { structure } = await sendOk<{ structure: { title: string }[] }>(stack, admin, { method: 'GET', path })
    return structure.map(({ title }) => title)
  }
  const body = { title: 'Status', url: 'https://status.example/' }
  const { id } = await call<{ id: string }>(`POST ${S}/external-links`, { names: filled, body })
  const LINK = `${S}/external-links/{siteExternalLinkId}`
  const names = { ...filled, siteExternalLinkId: id }
  expect(await call(`PATCH ${LINK}`, { names, body: { title: 'Is it up?' } })).toMatchObject({ title: 'Is it up?' })
  expect(await titles()).toEqual([...sections, 'Is it up?'])
  await call(`DELETE ${LINK}`, { names })
  expect(await titles()).toEqual(sections)
})

it('Redirects are taken over at once, or none of them', async () => {
  const entry = (source: string, url: string) => ({ source, destination: { kind: 'external', url }, permanent: true })
  const redirects = [entry('/old/*', 'https://old.example/'), entry('/blog', 'https://blog.example/')]
  const { results } = await call<{ results: object[] }>(`PUT ${S}/redirects`, { body: { redirects } })
  expect(results).toMatchObject([
    { status: 'created', source: '/old/*' },
    { status: 'created', source: '/blog' },
  ])
  // The older document has no form for them.
  const path = `/orgs/${organizationId}/sites/${siteId}/redirects`
  const redirectsOf = () => sendOk<Listed>(stack, admin, { method: 'GET', path })
  expect((await redirectsOf()).items).toHaveLength(2)
  const faulty = [entry('/new', 'https://new.example/'), entry('/newer', 'javascript:alert(1)')]
  const reply = await sendRaw(stack.url, admin, { method: 'PUT', path, body: { redirects: faulty } })
  expect(reply.status).toBe(400)
  expect((await redirectsOf()).items).toHaveLength(2)
})

it('A site has MCP servers, whose headers nobody reads again', async () => {
  const body = { name: 'Orders', url: 'https://mcp.example/mcp', transport: 'http', headers: { 'X-Key': 'a-key' } }
  const created = await call<{ id: string; headers: object }>(`POST ${S}/mcp-servers`, { body })
  expect(created).toMatchObject({ ...body, headers: { 'X-Key': '********' } })
  const names = { siteMcpServerId: created.id }
  const SERVER = `${S}/mcp-servers/{siteMcpServerId}`
  const condition = 'visitor.claims.plan == "pro"'
  const changed = await call(`PATCH ${SERVER}`, { names, body: { condition, headers: created.headers } })
  expect(changed).toEqual({ ...created, condition })
  expect(await call(`GET ${SERVER}`, { names })).toEqual(changed)
  expect((await call<Listed>(`GET ${S}/mcp-servers`)).items).toEqual([changed])
  await call(`DELETE ${SERVER}`, { names })
  expect((await call<Listed>(`GET ${S}/mcp-servers`)).items).toEqual([])
})

it('A question of a visitor reaches the MCP servers whose condition they meet, with their headers', async () => {
  const { orgs } = admin.client
  const tools = await aToolServer()
  try {
    await orgs.publishSite(organizationId, siteId)
    const { data: looks } = await orgs.getSiteCustomizationById(organizationId, siteId)
    const ai = { mode: 'assistant' }
    await orgs.updateSiteCustomizationById(organizationId, siteId, { ...looks, ai } as never)
    const add = async (key: string, more: object) => {
      const body = { name: key, url: tools.url, transport: 'http', headers: { 'X-Key': key }, ...more }
      return { siteMcpServerId: (await call<{ id: string }>(`POST ${S}/mcp-servers`, { body })).id }
    }
    const servers = [await add('for-all', {}), await add('for-some', { condition: 'visitor.claims.beta' })]
    const { urls } = (await orgs.getSiteById(organizationId, siteId)).data
    const { data } = await publishedClient(stack.url).urls.resolvePublishedContentByUrl({ url: urls.published ?? '' })
    const token = 'apiToken' in data ? data.apiToken : ''
    const path = `/orgs/${organizationId}/sites/${siteId}/ask`
    const question = { question: 'xylophone', scope: { mode: 'all' } }
    const reply = await sendRaw(stack.url, { token }, { method: 'POST', path, body: question })
    expect(reply.status).toBe(200)
    expect(reply.body).toContain('I do not know')
    const keys = tools.requests.map(({ headers }) => headers['x-key'])
    expect(keys.length).toBeGreaterThan(2)
    expect(new Set(keys)).toEqual(new Set(['for-all']))
    expect(JSON.stringify(tools.requests)).not.toContain(token)
    for (const names of servers) await call(`DELETE ${S}/mcp-servers/{siteMcpServerId}`, { names })
  } finally {
    await tools.stop()
  }
})

it('Search is warmed up before somebody searches', async () => {
  await call(`POST ${S}/search/prewarm`, { body: {} })
})

it('has used every operation that it names', () => {
  const { applyTemplateToSite, duplicateSiteSpace } = publishingApi
  const operations = {
    ...bulkSiteRedirects,
    ...siteExternalLinks,
    ...siteMcpServers,
    applyTemplateToSite,
    duplicateSiteSpace,
  }
  expect(publishedOf(operations).unused).toEqual([])
})
