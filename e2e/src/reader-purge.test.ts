import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { aRevalidatedReader, type RevalidatedReader } from './revalidated.ts'
import { anEvent } from './sites.ts'
import { removeData, startStack, type Stack } from './stack.ts'

const secret = 'secret of the reader'

let reader: RevalidatedReader
let stack: Stack
let admin: Person
let organization: string
let space: string
let site: string

beforeAll(async () => {
  reader = await aRevalidatedReader(secret)
  // Nothing private may be reached but the reader.
  const env = { OUTGOING_ALLOW: '', READER_URL: reader.url, READER_SECRET: secret }
  stack = await startStack({ env: { ...env, VISITOR_RATE_LIMIT: '20' } })
  const made = await anOrganization(stack)
  admin = made.admin
  organization = made.id
  space = (await admin.client.orgs.createSpace(organization, { title: 'Manual' } as never)).data.id
  site = (await admin.client.orgs.createSite(organization, { title: 'Docs', spaces: [space] })).data.id
  await admin.client.orgs.publishSite(organization, site)
})

afterAll(async () => {
  await stack.stop()
  reader.stop()
  await removeData(stack.dataDir)
})

const write = (title: string) =>
  sendOk(stack, admin, {
    method: 'POST',
    path: `/spaces/${space}/content`,
    body: { changes: [{ operation: 'insert_page', title, document: { markdown: '# Page\n' } }] },
  })
const both = () => [`site:${site}`, `space:${space}`]
const arePurged = () => eventually(async () => expect(reader.tags).toEqual(expect.arrayContaining(both())))

it('anybody counts events from any origin, up to a limit', async () => {
  const path = `/orgs/${organization}/sites/${site}/insights/events`
  const send = () => sendRaw(stack.url, undefined, { method: 'POST', path, body: { events: [anEvent({ space })] } })
  expect((await send()).status).toBe(204)
  const preflight = await fetch(`${stack.url}/v1${path}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://docs.test', 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await send()).status))
  expect(new Set(statuses)).toEqual(new Set([204, 429]))
  const query = { range: 'last24Hours', select: [{ column: 'eventsCount' }] } as never
  const { data } = await admin.client.orgs.aggregateSiteEvents(organization, site, query)
  const accepted = statuses.filter(status => status === 204).length + 1
  expect(data.columns).toEqual([{ column: 'eventsCount', values: [accepted] }])
})

it('a new revision of a published space is purged, also when publishing is away meanwhile', async () => {
  await eventually(() => expect(reader.tags).toContain(`site:${site}`))
  reader.tags.length = 0
  await write('First')
  await arePurged()
  process.kill(stack.pidOf('publishing'), 'SIGKILL')
  reader.tags.length = 0
  await write('Second')
  await arePurged()
  expect(reader.refused).toEqual([])
})

it('a change of a site is purged, also when publishing is killed after it', async () => {
  for (const title of ['Other', 'Another']) {
    await eventually(async () => expect((await admin.client.orgs.getSiteById(organization, site)).status).toBe(200))
    reader.tags.length = 0
    await admin.client.orgs.updateSiteById(organization, site, { title })
    process.kill(stack.pidOf('publishing'), 'SIGKILL')
    await eventually(async () => expect(reader.tags).toContain(`site:${site}`))
  }
})
