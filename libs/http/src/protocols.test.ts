import { Failure, operations } from '@recto/operation'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, errorOf, hashToken, http, toys, type Sent } from './test/edge.ts'

const anything = z.looseObject({})
const rows = operations({
  getCrate: { route: 'GET /Crates/{crateId}', summary: 'Get a crate', reply: anything, errors: ['conflict'] },
  putCrate: {
    route: 'PUT /Crates/{crateId}',
    summary: 'Put a crate',
    body: anything,
    reply: anything.optional(),
    response: { isOptional: true },
  },
})
const protocol = {
  base: '/crates/v2',
  mediaType: 'application/crates+json',
  errorBody: ({ status, message, protocolCode }: Failure) => ({ status: String(status), message, protocolCode }),
  api: { toys: rows },
} as const
const token = 'a-token'
const crates: Record<keyof typeof rows, (input: { body: unknown }, meta: Meta) => Promise<unknown>> = {
  getCrate: async () => ({}),
  putCrate: async () => undefined,
}
type Meta = { setETag(tag: string, strength?: { isWeak: boolean }): void; ifMatch(): string[] | undefined }

let edge: Awaited<ReturnType<typeof anEdge>>
beforeAll(async () => {
  edge = await anEdge({ protocols: [protocol] })
  edge.holders.set(hashToken(token), {})
  answer(edge.toyBus, rows, {
    getCrate: (...call: Parameters<typeof crates.getCrate>) => crates.getCrate(...call),
    putCrate: (...call: Parameters<typeof crates.putCrate>) => crates.putCrate(...call),
  })
  answer(edge.toyBus, toys, Object.fromEntries(Object.keys(toys).map(id => [id, async () => ({})])))
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

const call = (request: Sent) => http(edge.port, { token, ...request })
const sent = (type: string) => ({ method: 'PUT', headers: { 'content-type': type }, body: '{"a":1}' })

it('Rows of a protocol stand below its base only, and those of the API below theirs', async () => {
  expect(await call({ path: '/crates/v2/Crates/a' })).toMatchObject({ status: 200 })
  for (const path of ['/v1/Crates/a', '/crates/v2/toys/a', '/crates/v2'])
    expect(await call({ path })).toMatchObject({ status: 404 })
  expect(await call({ path: '/v1/toys/a' })).toMatchObject({ status: 200 })
})

it('Replies of a protocol have its media type', async () => {
  const { headers } = await call({ path: '/crates/v2/Crates/a' })
  expect(headers['content-type']).toBe('application/crates+json; charset=utf-8')
})

it.each(['application/json', 'application/crates+json', 'application/crates+json; charset=utf-8'])(
  'A protocol takes bodies as %s',
  async type => {
    crates.putCrate = async ({ body }) => body
    const reply = await call({ path: '/crates/v2/Crates/a', ...sent(type) })
    expect([reply.status, reply.json()]).toEqual([200, { a: 1 }])
  },
)

it('A reply that is optional and left out is 204', async () => {
  crates.putCrate = async () => undefined
  const reply = await call({ path: '/crates/v2/Crates/a', ...sent('application/json') })
  expect([reply.status, reply.body.length]).toEqual([204, 0])
})

it.each([
  ['by a service', { path: '/crates/v2/Crates/a' }, { status: '409', message: 'Full', protocolCode: 'uniqueness' }],
  ['without a row', { path: '/crates/v2/Boxes' }, { status: '404' }],
  ['with another method', { path: '/crates/v2/Crates/a', method: 'DELETE' }, { status: '405' }],
  ['without a token', { path: '/crates/v2/Crates/a', token: '' }, { status: '401' }],
  ['with another media type', { path: '/crates/v2/Crates/a', ...sent('text/plain') }, { status: '415' }],
  ['with a body that is no JSON', { path: '/crates/v2/Crates/a', ...sent('text/json'), body: '{' }, { status: '415' }],
])('A failure of a protocol, refused %s, has its error body', async (_case, request, body) => {
  crates.getCrate = async () => {
    throw new Failure('conflict', 'Full', { protocolCode: 'uniqueness' })
  }
  const reply = await call(request)
  expect(reply.headers['content-type']).toBe('application/crates+json; charset=utf-8')
  expect([String(reply.status), reply.json()]).toMatchObject([body.status, body])
})

it('A failure of the API has the error body of the API', async () => {
  expect(errorOf(await call({ path: '/v1/nothing-here' }))).toMatchObject({ code: 404 })
})

it('A weak ETag is sent as one, ends a conditional read, and is expected with or without its mark', async () => {
  const tags: unknown[] = []
  crates.getCrate = async (_input, meta) => (meta.setETag('7', { isWeak: true }), {})
  crates.putCrate = async (_input, meta) => void tags.push(meta.ifMatch())
  const { headers } = await call({ path: '/crates/v2/Crates/a' })
  expect(headers.etag).toBe('W/"7"')
  const again = await call({ path: '/crates/v2/Crates/a', headers: { 'if-none-match': 'W/"7"' } })
  expect(again.status).toBe(304)
  for (const tag of ['W/"7"', '"7"']) {
    const { headers, ...request } = sent('application/json')
    await call({ path: '/crates/v2/Crates/a', ...request, headers: { ...headers, 'if-match': tag } })
  }
  expect(tags).toEqual([['7'], ['7']])
})
