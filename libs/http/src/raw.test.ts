import { createHmac, randomBytes } from 'node:crypto'
import { busClient } from '@recto/bus'
import { Failure, operations } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, errorOf, http } from './test/edge.ts'

const rows = operations({
  receive: {
    route: 'POST /boxes/{boxId}/hook',
    summary: 'Receive',
    request: { headers: ['x-signature', 'x-kind'], raw: true },
    limits: { signedBytes: 5_000 },
    reply: z.object({}).loose(),
    access: { public: true },
    errors: ['unauthenticated'],
  },
  ignore: { route: 'POST /ignore', summary: 'Ignore', reply: z.object({}).loose(), access: { public: true } },
})
const sign = (body: Uint8Array | string) => createHmac('sha256', 'secret').update(body).digest('hex')

interface Received {
  params: object
  headers: { 'x-signature'?: string; 'x-kind'?: string }
  raw: Uint8Array
  signature?: string
}
const handlers = {
  async receive({ params, headers, raw, signature }: Received, { actor }: { actor: unknown }) {
    if ((signature ?? sign(raw)) !== headers['x-signature'])
      throw new Failure('unauthenticated', 'The signature does not match')
    return { params, headers, size: raw.byteLength, hasActor: actor !== undefined }
  },
  ignore: async (input: object) => ({ fields: Object.keys(input) }),
}

const keys: Record<string, string> = { one: 'secret' }

let edge: Awaited<ReturnType<typeof anEdge>>
beforeAll(async () => {
  edge = await anEdge({ api: { toys: rows }, signingKeys: { receive: async ({ boxId }) => keys[boxId ?? ''] ?? '' } })
  answer(edge.toyBus, rows, handlers)
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

const post = (body: Buffer, headers: Record<string, string>, path = '/v1/boxes/one/hook') =>
  http(edge.port, { method: 'POST', path, body, headers })

describe('a row that takes the body as bytes, and headers', () => {
  it.each([
    ['JSON', Buffer.from('{"a": "ä"}\n'), 'application/json'],
    ['a form', Buffer.from('payload=%7B%7D'), 'application/x-www-form-urlencoded'],
    ['bytes that are no text', randomBytes(900), 'application/octet-stream'],
    ['nothing', Buffer.alloc(0), 'application/json'],
  ])('gets %s as it was sent, without a token', async (_case, body, type) => {
    const reply = await post(body, { 'content-type': type, 'x-signature': sign(body), 'x-kind': 'push' })
    expect([reply.status, reply.json()]).toEqual([
      200,
      {
        params: { boxId: 'one' },
        headers: { 'x-signature': sign(body), 'x-kind': 'push' },
        size: body.length,
        hasActor: false,
      },
    ])
  })

  it('gets no headers but those it names, and none that are missing', async () => {
    const body = Buffer.from('x')
    const reply = await post(body, {
      'x-signature': sign(body),
      'x-other': 'y',
      cookie: 'a=b',
      authorization: 'Bearer z',
    })
    expect(reply.json()).toMatchObject({ headers: { 'x-signature': sign(body) } })
    expect(Object.keys((reply.json() as { headers: object }).headers)).toEqual(['x-signature'])
  })

  it('gets other characters of a header as others, which match no signature', async () => {
    const reply = await post(Buffer.from('x'), { 'x-signature': 'ä' })
    expect([reply.status, errorOf(reply).message]).toEqual([401, 'The signature does not match'])
  })

  it.each([1_001, 4_000, 5_000])('gets the signature of a body of %i bytes, and none of them', async size => {
    const body = randomBytes(size)
    const reply = await post(body, { 'x-signature': sign(body) })
    expect([reply.status, reply.json()]).toMatchObject([200, { size: 0 }])
    const chunked = await post(body, { 'x-signature': sign(body), 'transfer-encoding': 'chunked' })
    expect([chunked.status, chunked.json()]).toMatchObject([200, { size: 0 }])
  })

  it('gets the signature under the key of its path', async () => {
    const body = randomBytes(4_000)
    expect((await post(body, { 'x-signature': sign(body) }, '/v1/boxes/two/hook')).status).toBe(401)
    expect((await post(body, { 'x-signature': sign(randomBytes(4_000)) })).status).toBe(401)
  })

  it.each([
    ['announced', {}],
    ['not announced', { 'transfer-encoding': 'chunked' }],
  ])('is refused a body over the limit of what is signed, %s', async (_case, headers) => {
    const body = randomBytes(5_001)
    expect((await post(body, { 'x-signature': sign(body), ...headers })).status).toBe(413)
  })

  it('is called by a client with headers and bytes', async () => {
    const client = busClient(edge.gateway, rows, { service: 'toys', prefix: 'api' })
    const raw = Buffer.from('{}')
    const reply = await client.receive({ params: { boxId: 'one' }, headers: { 'x-signature': sign(raw) }, raw })
    expect(reply).toMatchObject({ size: 2 })
  })
})

it('a row that names no headers gets none, and no bytes', async () => {
  const reply = await post(Buffer.from('{}'), { 'x-kind': 'push' }, '/v1/ignore')
  expect(reply.json()).toEqual({ fields: ['params', 'query', 'body'] })
})
