import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { createBlobStore, signUpload, type BlobStore, type UploadGrant } from '@recto/blobs'
import { connectBus, serve, servicePermissions, type Bus } from '@recto/bus'
import { services } from '@recto/contracts-shared'
import { uploadCalls } from '@recto/contracts-content-bus'
import { feature } from '@recto/operation'
import { createLog, createMetrics } from '@recto/telemetry'
import { aNatsServer, eventually, type TestNats, removeFolder } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { config } from './config.ts'
import { startGateway, type Gateway } from './service.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'
const bytes = randomBytes(300_000)
const size = bytes.byteLength
let nats: TestNats
let folder: string
let gateway: Gateway
let content: Bus
let blobs: BlobStore
/** Completed uploads that the gateway reported to content. */
const completed: unknown[] = []

beforeAll(async () => {
  const names = ['gateway', 'content'] as const
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, services[name]) }))
  nats = await aNatsServer({ users })
  folder = await mkdtemp(join(tmpdir(), 'recto-uploads-'))
  const settings = config({
    NATS_URL: nats.urlFor('gateway'),
    PORT: '0',
    PUBLIC_URL: 'http://recto.test',
    SIGNING_SECRET: secret,
    BLOB_URL: pathToFileURL(folder).href,
    UPLOAD_IDLE_TIMEOUT: '1000',
    REQUEST_TIMEOUT: '300',
  })
  gateway = await startGateway(settings, {
    log: createLog({ service: 'gateway', level: 'silent' }),
    metrics: createMetrics('gateway'),
    process: { ready: async () => true as const, health: () => false },
  })
  blobs = createBlobStore({ url: settings.BLOB_URL })
  content = await connectBus({ url: nats.urlFor('content'), service: 'content' })
  const complete = feature<object>()(uploadCalls, {
    completeUpload: async ({ body }) => {
      completed.push(body)
      return {}
    },
  })
  const log = createLog({ service: 'content', level: 'silent' })
  serve(content, { prefix: 'rpc', operations: uploadCalls, handlers: complete.handlers, context: () => ({}), log })
  await content.connection.flush()
})
afterAll(async () => {
  await gateway.stop()
  await content.drain()
  await nats.stop()
  blobs.close()
  await removeFolder(folder)
})

function urlOf(grant: Partial<UploadGrant> = {}): string {
  const publicUrl = `http://127.0.0.1:${gateway.port}`
  return signUpload({
    secret: [secret],
    publicUrl,
    key: 'aKey',
    size,
    expiresAt: new Date(Date.now() + 60_000),
    ...grant,
  })
}
const put = async (url: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) => {
  const reply = await fetch(url, { method: 'PUT', body, headers })
  return { status: reply.status, body: (await reply.json()) as { hash?: string; error?: { message: string } }, reply }
}

interface Raw {
  status: number | undefined
  body: string
  continued: boolean
}

/** Sends a body in parts, chunked unless the headers say how long it is. */
function send(parts: Uint8Array[], { url = urlOf(), headers = {} } = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const state = { continued: false }
    const sent = request(url, { method: 'PUT', headers }, (response: IncomingMessage) => {
      text(response).then(body => resolve({ status: response.statusCode, body, ...state }), reject)
    })
    const write = (): void => {
      for (const part of parts) sent.write(part)
      sent.end()
    }
    sent.on('error', reject).on('continue', () => {
      state.continued = true
      write()
    })
    if ('expect' in headers) sent.flushHeaders()
    else write()
  })
}

const unfinished = async () => (await readdir(join(folder, 'unfinished')).catch(() => [])).length

/** A connection that has begun to upload. */
async function begun(): Promise<Socket> {
  const { pathname } = new URL(urlOf())
  const socket = connect(gateway.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: recto.test\r\ncontent-length: ${size}\r\n\r\nbegun`)
  await eventually(async () => expect(await unfinished()).toBe(1))
  return socket
}

describe('an upload', () => {
  it('is stored under its hash, and content is told', async () => {
    const { status, body } = await put(urlOf(), bytes)
    expect({ status, body }).toEqual({ status: 200, body: { key: 'aKey', size, hash: body.hash } })
    expect((await buffer((await blobs.get(body.hash ?? '')).body)).equals(bytes)).toBe(true)
    expect(JSON.stringify(completed.at(-1))).toContain(body.hash)
  })

  it('gives the same when it is repeated, also at once', async () => {
    const replies = await Promise.all([put(urlOf(), bytes), put(urlOf(), bytes), put(urlOf(), bytes)])
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.hash}`)).size).toBe(1)
    expect(await unfinished()).toBe(0)
  })

  it('may be empty, and may come in chunks without its length', async () => {
    expect(await put(urlOf({ size: 0 }), '')).toMatchObject({ status: 200 })
    expect(await send([bytes.subarray(0, 10), bytes.subarray(10)])).toMatchObject({ status: 200 })
  })

  it.each([
    ['another secret', () => urlOf({ secret: ['another'] }), 404],
    ['a changed token', () => urlOf().replace(/.$/, character => (character === 'A' ? 'B' : 'A')), 404],
    ['no token at all', () => urlOf().replace(/[^/]+$/, 'x'), 404],
    ['a past expiry', () => urlOf({ expiresAt: new Date(Date.now() - 1_000) }), 403],
  ])('with %s is refused', async (_what, url, expected) => {
    const { status, body } = await put(url(), bytes)
    expect([status, body.error]).toEqual([expected, expect.objectContaining({ code: expected })])
  })

  it.each([
    ['more', [bytes, bytes], 413],
    ['less', [bytes.subarray(1)], 400],
  ])('of %s than declared is refused, whether its length is known or not', async (_what, parts, expected) => {
    const before = completed.length
    const length = String(parts.reduce((sum, part) => sum + part.byteLength, 0))
    const chunked = await send(parts)
    const announced = await send(parts, { headers: { 'content-length': length } })
    expect([chunked.status, announced.status]).toEqual([expected, expected])
    expect(chunked.body).toContain(`the ${size} bytes of the upload`)
    expect([await unfinished(), completed.length]).toEqual([0, before])
  })

  it('that is compressed is refused', async () => {
    expect(await put(urlOf(), bytes, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
  })

  it('waits for 100 Continue, which it gets only when its length is right', async () => {
    const expecting = (length: number) =>
      send([bytes], { headers: { expect: '100-continue', 'content-length': String(length) } })
    expect(await expecting(size)).toMatchObject({ status: 200, continued: true })
    expect(await expecting(size + 1)).toMatchObject({ status: 413, continued: false })
  })

  it('that is aborted leaves nothing', async () => {
    const before = completed.length
    const socket = await begun()
    socket.resetAndDestroy()
    await eventually(async () => expect(await unfinished()).toBe(0))
    expect(completed.length).toBe(before)
  })

  it('that pauses too long ends, although it may take longer than other requests', async () => {
    const socket = await begun()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 504 [\s\S]*No bytes of the upload came/)
    expect(await unfinished()).toBe(0)
  })

  it('may come from a page of another origin', async () => {
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const { status, headers } = await fetch(urlOf(), { method: 'OPTIONS', headers: preflight })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(headers.get('access-control-allow-methods')).toContain('PUT')
  })
})

it('disconnects who is slow to send the body of another request', async () => {
  const socket = connect(gateway.port, '127.0.0.1')
  socket.write('POST /v1/orgs HTTP/1.1\r\nhost: recto.test\r\ncontent-length: 10\r\n\r\n{')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 /)
})
