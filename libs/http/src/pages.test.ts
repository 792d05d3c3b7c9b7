import { busClient, type RequestMeta } from '@recto/bus'
import { currentOrigin, Failure, failureStatus, operations, type FailureCode } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, errorOf, http } from './test/edge.ts'

const rows = operations({
  sign: {
    route: 'POST /sign',
    summary: 'Sign',
    request: { form: true },
    response: { mediaType: 'text/html' },
    body: z.object({ name: z.string() }),
    reply: z.string(),
    access: { public: true },
  },
  open: {
    route: 'GET /open/{as}',
    summary: 'Open',
    reply: z.undefined(),
    status: 302,
    access: { public: true },
    errors: ['not_found'],
    response: {
      failurePage: {
        title: 'It is <shut>',
        messages: { not_found: 'There is no such door & none was there', unavailable: 'Come back later' },
        otherwise: 'Something broke',
      },
    },
  },
  leave: { route: 'GET /leave', summary: 'Leave', reply: z.undefined(), status: 302, access: { public: true } },
  remember: {
    route: 'GET /remember',
    summary: 'Remember',
    request: { headers: ['cookie'] },
    reply: z.object({ cookie: z.string().optional(), operation: z.string().optional() }),
    records: ['toy.remembered'],
    access: { public: true },
  },
  describeIt: {
    route: 'GET /about',
    summary: 'Describe',
    response: { mediaType: 'application/samlmetadata+xml' },
    reply: z.string(),
    access: { public: true },
  },
})
const handlers = {
  sign: async ({ body }: { body: { name: string } }) => `<p>Grüße, ${body.name}`,
  open: async ({ params: { as } }: { params: { as: FailureCode } }) => {
    throw new Failure(as, 'A secret, <b>bold</b>', { retryAfter: 7, details: [{ path: 'body.a', message: 'hunter2' }] })
  },
  leave: async (_input: never, { setLocation }: RequestMeta) => setLocation('https://elsewhere.example/?a=ä'),
  remember: async ({ headers: { cookie } }: { headers: { cookie?: string } }, { setCookie }: RequestMeta) => {
    setCookie('__Host-toy=1; Path=/; Secure; HttpOnly; SameSite=Lax')
    return { cookie, operation: currentOrigin()?.operationId }
  },
  describeIt: async () => '<about/>',
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let edge: Awaited<ReturnType<typeof anEdge>>
beforeAll(async () => {
  edge = await anEdge({ api: { toys: rows } })
  answer(edge.toyBus, rows, handlers)
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

const sign = (body: string, headers: Record<string, string> = form) =>
  http(edge.port, { method: 'POST', path: '/v1/sign', body, headers })

describe('a row for browsers', () => {
  it('accepts a form and responds with a page without scripts and caching', async () => {
    const reply = await sign('name=Ada+%26+Bob')
    expect([reply.status, reply.body.toString()]).toEqual([200, '<p>Grüße, Ada & Bob'])
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it.each<[string, string, Record<string, string>, number]>([
    ['JSON', '{"name":"Ada"}', { 'content-type': 'application/json' }, 415],
    ['a form without the field', 'title=Ada', form, 400],
    ['a field that is there twice', 'name=Ada&name=Eve', form, 400],
    ['bytes that are no text', 'name=%FF', { ...form, 'content-encoding': 'gzip' }, 415],
  ])('refuses %s with the error body', async (_case, body, headers, status) => {
    const reply = await sign(body, headers)
    expect([reply.status, errorOf(reply).code]).toEqual([status, status])
  })

  it('redirects without a body', async () => {
    const reply = await http(edge.port, { path: '/v1/leave' })
    expect([reply.status, reply.headers.location, reply.body.length]).toEqual([
      302,
      'https://elsewhere.example/?a=%C3%A4',
      0,
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('reads a cookie and sets one, and a GET that says what it records has an origin', async () => {
    const reply = await http(edge.port, { path: '/v1/remember', headers: { cookie: 'a=b' } })
    expect(reply.headers['set-cookie']).toEqual(['__Host-toy=1; Path=/; Secure; HttpOnly; SameSite=Lax'])
    expect(JSON.parse(reply.body.toString())).toEqual({ cookie: 'a=b', operation: 'remember' })
  })

  it('responds with a document of another type', async () => {
    const reply = await http(edge.port, { path: '/v1/about' })
    expect([reply.headers['content-type'], reply.body.toString()]).toEqual([
      'application/samlmetadata+xml; charset=utf-8',
      '<about/>',
    ])
  })

  it('is called over the bus as it is by a browser', async () => {
    const client = busClient(edge.gateway, rows, { service: 'toys', prefix: 'api' })
    expect([await client.sign({ body: { name: 'Ada' } }), await client.describeIt()]).toEqual([
      '<p>Grüße, Ada',
      '<about/>',
    ])
  })
})

describe('a row with a page for failures', () => {
  const open = (as: string, more: object = {}) =>
    http(edge.port, { path: `/v1/open/${as}`, headers: { 'x-request-id': 'request-1' }, ...more })

  it.each([
    ['not_found', 'There is no such door &amp; none was there'],
    ['unavailable', 'Come back later'],
    ['internal', 'Something broke'],
    ['unauthenticated', 'Something broke'],
  ] as const)('shows %s as a readable page, with the status and the request id', async (code, words) => {
    const reply = await open(code)
    const page = reply.body.toString()
    expect(reply.status).toBe(failureStatus[code])
    for (const said of [
      '<html lang="en">',
      '<title>It is &lt;shut&gt;</title>',
      '<h1>It is &lt;shut&gt;</h1>',
      words,
      '<code id="request">request-1</code>',
    ])
      expect(page).toContain(said)
    expect(page).not.toMatch(/secret|bold|hunter2|<script|href|src=/)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-request-id': 'request-1',
      'retry-after': '7',
    })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('shows it also when the service is unavailable, and without a body to HEAD', async () => {
    expect((await open('not_found', { method: 'HEAD' })).body).toHaveLength(0)
    await edge.toyBus.drain()
    const reply = await open('not_found')
    expect([reply.status, reply.headers['content-type'], reply.headers['retry-after']]).toEqual([
      503,
      'text/html; charset=utf-8',
      '1',
    ])
    expect(reply.body.toString()).toContain('Come back later')
  })
})
