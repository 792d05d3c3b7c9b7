import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Visitor } from '@recto/actor'
import { signVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { connectBus, servicePermissions, type Bus } from '@recto/bus'
import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import { services } from '@recto/contracts-shared'
import { createLog, createMetrics } from '@recto/telemetry'
import { aNatsServer, eventually, type TestNats, removeFolder } from '@recto/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { config } from './config.ts'
import { startGateway, type Gateway } from './service.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const names = ['gateway', 'content', 'publishing'] as const
const at = new Date().toISOString()

let nats: TestNats
let folder: string
let content: Bus
let publishing: Bus
let requests: string[]
const running: Gateway[] = []
const metrics = createMetrics('gateway')

beforeEach(async () => {
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) }))
  nats = await aNatsServer({ users })
  folder = await mkdtemp(join(tmpdir(), 'recto-gateway-'))
  const connect = (service: 'content' | 'publishing') => connectBus({ url: nats.urlFor(service), service })
  content = await connect('content')
  publishing = await connect('publishing')
  requests = []
  content.connection.subscribe('api.content.*', {
    callback: (_error, message) => {
      requests.push(message.subject)
      message.respond('{}')
    },
  })
  await content.connection.flush()
})

afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
  await Promise.all([content, publishing].map(bus => bus.drain()))
  await nats.stop()
  await removeFolder(folder)
})

/** Publishing answers which sites were closed. */
async function answerClosings(): Promise<void> {
  publishing.connection.subscribe('rpc.publishing.listClosedSites', {
    callback: (_error, message) => void message.respond(JSON.stringify({ sites: [] })),
  })
  await publishing.connection.flush()
}

async function aGateway(environment: Record<string, string> = {}): Promise<Gateway> {
  const settings = config({
    NATS_URL: nats.urlFor('gateway'),
    PORT: '0',
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: secret,
    BLOB_URL: pathToFileURL(folder).href,
    ...environment,
  })
  const process = { ready: async () => true as const, health: () => false }
  const log = createLog({ service: 'gateway', level: 'silent' })
  const gateway = await startGateway(settings, { log, metrics, process })
  running.push(gateway)
  return gateway
}

async function read(...request: Parameters<typeof send>): Promise<number> {
  return (await send(...request)).status
}

async function send(gateway: Gateway, seen: Partial<Visitor> = {}, path = 'revisions/r'): Promise<Response> {
  const visitor = { organization: 'o', site: 's', version: 3, spaces: ['space', 'other'], claims: {}, ...seen }
  const place = { siteSpace: 'ss', space: 'space' }
  const token = await signVisitorToken({ visitor, place, now: Date.now() }, visitorTokenKeys([secret]))
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`http://127.0.0.1:${gateway.port}/v1/spaces/space/${path}`, { headers })
}

/** Reads until the gateway shares replies. */
async function aSharingGateway(environment: Record<string, string> = {}): Promise<Gateway> {
  await answerClosings()
  const gateway = await aGateway(environment)
  await eventually(async () => {
    requests = []
    await read(gateway)
    expect(requests).toEqual([])
  })
  return gateway
}

it('a revision is read once for all visitors of one kind, and for each other kind', async () => {
  const gateway = await aSharingGateway()
  await read(gateway, {}, 'revisions/r?metadata=true')
  expect(requests).toEqual([])
  await read(gateway, { claims: { beta: true } })
  await read(gateway, { changeRequest: 'c' })
  await read(gateway, { changeRequest: 'c' })
  await read(gateway, { spaces: ['other'] })
  await read(gateway, {}, 'revisions/other')
  expect(requests).toHaveLength(5)
  requests = []
  // The resource at a path may change.
  for (const _time of [1, 2]) await read(gateway, {}, '')
  expect(requests).toEqual(['api.content.getSpaceById', 'api.content.getSpaceById'])
  const { body } = await metrics.text()
  expect(body).toMatch(/cache_requests_total\{cache="replies",result="hit",service="gateway"\} [1-9]/)
  expect(body).toMatch(/cache_bytes\{cache="replies",service="gateway"\} [1-9]/)
})

it('the longest token that a lookup makes is taken: of 250 spaces, and with all that a login server may say', async () => {
  const gateway = await aGateway()
  const spaces = ['space', ...Array.from({ length: 249 }, (_, at) => `space with an id ${100 + at}`)]
  const claims = { groups: 'x'.repeat(6_000), unsigned: { name: 'x'.repeat(2_000) } }
  expect(await read(gateway, { spaces, claims })).toBe(200)
})

it('a token that ended is refused although its replies are kept', async () => {
  const gateway = await aSharingGateway()
  expect(await read(gateway)).toBe(200)
  const site = { organization: 'o', site: 's', version: 4, published: false, visibility: 'public', spaces: [] }
  publishing.signal(publishingEvents.siteChanged.subject, 'a', { ...site, closedVersion: 4 })
  await publishing.connection.flush()
  await eventually(async () => expect(await read(gateway)).toBe(401))
  expect(await read(gateway, { version: 4 })).toBe(200)
})

it.each(['revisions/r', 'revisions/r/files', 'revisions/r/page/p/document'])(
  'a client keeps %s for seconds, whether the gateway has it or not, as a site may be closed',
  async path => {
    const gateway = await aSharingGateway()
    for (const _time of ['asked for', 'kept']) {
      const { headers } = await send(gateway, {}, path)
      expect(headers.get('cache-control')).toBe('private, max-age=15, must-revalidate')
    }
    const { headers } = await send(gateway, {}, '')
    expect(headers.get('cache-control')).toBe('private, no-cache')
  },
)

const changed = { organization: 'o', by: 'somebody', at }
it.each<[string, { subject: string }, object]>([
  ['changed', contentEvents.mainContentChanged, { space: 'space', from: 'a', to: 'b' }],
  ['deleted', lifecycleEvents.spaceDeleted, { space: 'space' }],
  ['purged', lifecycleEvents.spacePurged, { space: 'space' }],
  ['transferred', lifecycleEvents.spaceTransferred, { space: 'space', from: 'p' }],
  ['deleted with its collection', lifecycleEvents.collectionDeleted, { spaces: ['space'], collections: [] }],
  ['transferred with its collection', lifecycleEvents.collectionTransferred, { spaces: ['space'], from: 'p' }],
])('the replies of a space are dropped when it is %s', async (_case, { subject }, payload) => {
  const gateway = await aSharingGateway()
  content.signal(subject, 'a', { ...changed, collection: 'c', ...payload })
  await content.connection.flush()
  await eventually(async () => {
    await read(gateway)
    expect(requests).not.toEqual([])
  })
})

it('nothing is shared while the gateway does not know which sites were closed, or without a size', async () => {
  const unknowing = await aGateway()
  for (const _time of [1, 2]) await read(unknowing)
  expect(requests).toHaveLength(2)
  await answerClosings()
  const off = await aGateway({ REPLY_CACHE_SIZE: '0' })
  for (const _time of [1, 2, 3]) await read(off)
  expect(requests).toHaveLength(5)
})
