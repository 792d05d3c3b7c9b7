import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { downloadIssuedFor } from '@recto/actor/site-version'
import { createBlobStore, signDownload, type BlobStore } from '@recto/blobs'
import { connectBus, servicePermissions, type Bus } from '@recto/bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import { services } from '@recto/contracts-shared'
import { createLog, createMetrics } from '@recto/telemetry'
import { aNatsServer, eventually, type TestNats, removeFolder } from '@recto/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { config } from './config.ts'
import { startGateway, type Gateway } from './service.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'

let nats: TestNats
let folder: string
let blobs: BlobStore
let hash: string
let publishing: Bus
const running: Gateway[] = []

beforeEach(async () => {
  const names = ['gateway', 'publishing'] as const
  nats = await aNatsServer({
    users: names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) })),
  })
  folder = await mkdtemp(join(tmpdir(), 'recto-gateway-'))
  blobs = createBlobStore({ url: pathToFileURL(folder).href })
  hash = (await blobs.put(Buffer.from('hello world'))).hash
  publishing = await connectBus({ url: nats.urlFor('publishing'), service: 'publishing' })
})

afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
  blobs.close()
  await publishing.drain()
  await nats.stop()
  await removeFolder(folder)
})

/** Publishing answers that these sites were closed. */
async function answerClosings(sites: { site: string; closedVersion: number }[] = []): Promise<void> {
  publishing.connection.subscribe('rpc.publishing.listClosedSites', {
    callback: (_error, message) => void message.respond(JSON.stringify({ sites })),
  })
  await publishing.connection.flush()
}

async function aGateway(): Promise<Gateway> {
  const settings = config({
    NATS_URL: nats.urlFor('gateway'),
    PORT: '0',
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: secret,
    BLOB_URL: pathToFileURL(folder).href,
  })
  const process = { ready: async () => true as const, health: () => false }
  const log = createLog({ service: 'gateway', level: 'silent' })
  const gateway = await startGateway(settings, { log, metrics: createMetrics('gateway'), process })
  running.push(gateway)
  return gateway
}

/** Who was given the address of a download: a visitor of a version of a site, or a member. */
type Reader = { site: string; version: number } | undefined

const visitor = { site: 's', version: 3 }
const member = undefined

function download({ port }: Gateway, reader: Reader, request: RequestInit = {}): Promise<Response> {
  const file = { hash, name: 'a.txt', contentType: 'text/plain' }
  const expiresAt = new Date(Date.now() + 60_000)
  const issuedFor = downloadIssuedFor(reader)
  const publicUrl = `http://127.0.0.1:${port}`
  return fetch(signDownload({ ...file, secret: [secret], publicUrl, expiresAt, issuedFor }), request)
}

const statusOf = async (...args: Parameters<typeof download>) => {
  const reply = await download(...args)
  await reply.body?.cancel()
  return reply.status
}

const changed = { organization: 'o', visibility: 'public', spaces: [] }
const closings: [string, () => void][] = [
  [
    'was closed',
    () => {
      const site = { ...changed, site: 's', version: 4, closedVersion: 4, published: false }
      publishing.signal(publishingEvents.siteChanged.subject, 'a', site)
    },
  ],
  [
    'was deleted',
    () => publishing.signal(publishingEvents.siteDeleted.subject, 'a', { organization: 'o', site: 's', version: 4 }),
  ],
]

describe('a download of a visitor', () => {
  it('is served, and asked for again soon', async () => {
    await answerClosings()
    const gateway = await aGateway()
    const reply = await download(gateway, visitor)
    expect([reply.status, await reply.text()]).toEqual([200, 'hello world'])
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain(; charset=utf-8)?$/)
    expect(reply.headers.get('cache-control')).toBe('private, max-age=15, must-revalidate')
    const headers = { 'if-none-match': reply.headers.get('etag') ?? '' }
    expect(await statusOf(gateway, visitor, { headers })).toBe(304)
  })

  it.each(closings)('ends when its site %s, for every kind of request; those of others stay', async (_what, close) => {
    await answerClosings()
    const gateway = await aGateway()
    expect(await statusOf(gateway, visitor)).toBe(200)
    close()
    await publishing.connection.flush()
    await eventually(async () => expect(await statusOf(gateway, visitor)).toBe(403))
    const conditional = { headers: { 'if-none-match': `"${hash}"` } }
    const requests = [{}, conditional, { headers: { range: 'bytes=0-1' } }, { method: 'HEAD' }]
    for (const request of requests) expect(await statusOf(gateway, visitor, request)).toBe(403)
    expect(await statusOf(gateway, { ...visitor, version: 4 })).toBe(200)
    expect(await statusOf(gateway, { ...visitor, site: 'another' })).toBe(200)
    expect(await statusOf(gateway, member)).toBe(200)
  })

  it('ends as one that has expired does, and nothing keeps the refusal', async () => {
    await answerClosings([{ site: 's', closedVersion: 4 }])
    const reply = await download(await aGateway(), visitor)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await reply.json()).toEqual({
      error: { code: 403, message: 'This download link has expired; read the file again for a new one' },
    })
  })

  it('stays ended at a gateway that starts later', async () => {
    await answerClosings([{ site: 's', closedVersion: 4 }])
    const gateway = await aGateway()
    expect(await statusOf(gateway, visitor)).toBe(403)
    expect(await statusOf(gateway, { ...visitor, version: 4 })).toBe(200)
  })

  it('is not served by a gateway that does not know which sites were closed; those of members are', async () => {
    const gateway = await aGateway()
    expect([await statusOf(gateway, visitor), await statusOf(gateway, member)]).toEqual([503, 200])
  })
})
