import { bulkSiteRedirects, siteExternalLinks } from '@recto/contracts-publishing'
import { beforeAll, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
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
  await call(`POST ${S}/site-spaces/{siteSpaceId}/duplicate`, { names, body: { draft: true } })
  expect((await call<Listed>(`GET ${S}/site-spaces`)).items.map(({ draft }) => draft)).toEqual([false, true])
})

it('A template fills an empty site, beside whose sections a link leads elsewhere', async () => {
  const filled = { siteId: (await admin.client.orgs.createSite(organizationId, { title: 'Empty' })).data.id }
  await call(`POST ${S}/template`, { names: filled })
  expect((await call<Listed>(`GET ${S}/sections`, { names: filled })).items).toHaveLength(3)
  const body = { title: 'Status', url: 'https://status.example/' }
  const { id } = await call<{ id: string }>(`POST ${S}/external-links`, { names: filled, body })
  const LINK = `${S}/external-links/{siteExternalLinkId}`
  const names = { ...filled, siteExternalLinkId: id }
  expect(await call(`PATCH ${LINK}`, { names, body: { title: 'Is it up?' } })).toMatchObject({ title: 'Is it up?' })
  await call(`DELETE ${LINK}`, { names })
})

it('Redirects are taken over at once, or none of them', async () => {
  const entry = (source: string, url: string) => ({ source, destination: { kind: 'external', url }, permanent: true })
  const redirects = [entry('/old/*', 'https://old.example/'), entry('/blog', 'https://blog.example/')]
  await call(`PUT ${S}/redirects`, { body: { redirects } })
  // The older document has no form for them.
  const path = `/orgs/${organizationId}/sites/${siteId}/redirects`
  const redirectsOf = () => sendOk<Listed>(stack, admin, { method: 'GET', path })
  expect((await redirectsOf()).items).toHaveLength(2)
  const faulty = [entry('/new', 'https://new.example/'), entry('/newer', 'javascript:alert(1)')]
  const reply = await sendRaw(stack.url, admin, { method: 'PUT', path, body: { redirects: faulty } })
  expect(reply.status).toBe(400)
  expect((await redirectsOf()).items).toHaveLength(2)
})

it('Search is warmed up before somebody searches', async () => {
  await admin.client.orgs.publishSite(organizationId, siteId)
  await call(`POST ${S}/search/prewarm`, { body: {} })
})

it('has used every operation that it names', () => {
  const operations = { ...bulkSiteRedirects, ...siteExternalLinks }
  expect(publishedOf(operations).unused).toEqual([])
})
