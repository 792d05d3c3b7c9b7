import { Failure } from '@recto/operation'
import { currentTraceId } from '@recto/telemetry'
import type { Express } from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anEdge, answer, type Answers, errorOf, hashToken, http, type Sent, toys } from './test/edge.ts'

let edge: Awaited<ReturnType<typeof anEdge>>
const token = 'a-token'
const echo: Answers['getToy'] = async ({ params, query, body }, { actor, requestId }) => ({
  params,
  query,
  body,
  user: actor?.userId,
  requestId,
  trace: currentTraceId(),
})
const fresh = {
  ...(Object.fromEntries(Object.keys(toys).map(id => [id, echo])) as Answers),
  deleteToy: async () => undefined,
}
const answers = { ...fresh }

beforeAll(async () => {
  const mount = (app: Express) => {
    app.get('/files/:name', (_request, response) => void response.send('a file'))
    app.get('/broken', () => {
      throw new Error('the password is hunter2')
    })
  }
  const health = (request: { url?: string | undefined }, response: { end(text: string): unknown }) =>
    request.url === '/livez' && Boolean(response.end('alive'))
  edge = await anEdge({ mount, health })
  const handlers = Object.fromEntries(
    Object.keys(answers).map(id => [
      id,
      (...call: Parameters<Answers['getToy']>) => answers[id as keyof Answers](...call),
    ]),
  )
  answer(edge.toyBus, toys, handlers)
  await edge.toyBus.connection.flush()
})
beforeEach(() => {
  Object.assign(answers, fresh)
  edge.logged.length = 0
  edge.actors.clear()
  edge.holders.clear()
  edge.holders.set(hashToken(token), { scopes: ['read', 'write'] })
})
afterAll(() => edge.stop())

const call = (request: Sent) => http(edge.port, { token, ...request })

describe('a path', () => {
  it.each([
    ['/v1/toys/a', { toyId: 'a' }],
    ['/v1/toys/a/', { toyId: 'a' }],
    ['/v1/toys/a?x=1', { toyId: 'a' }],
    ['/v1/toys/a%2Fb%20%C3%A4', { toyId: 'a/b ä' }],
    ['/v1/toys/..%2F..', { toyId: '../..' }],
    ['/v1/toys/__proto__', { toyId: '__proto__' }],
    ['/v1/toys/a;b:c', { toyId: 'a;b:c' }],
  ])('%s passes its parameters to the service', async (path, params) => {
    const reply = await call({ path })
    expect([reply.status, reply.json().params]).toEqual([200, params])
  })

  it.each([
    ['/v1/boxes/one/path/a/b%20c', 'a/b c'],
    ['/v1/boxes/one/path/a%2Fb%20c', 'a/b c'],
    ['/v1/boxes/one/path/a%252Fb', 'a%2Fb'],
    ['/v1/boxes/one/path/%C3%A4?x=1', 'ä'],
  ])('%s passes the rest of the path as one parameter', async (path, toyPath) => {
    const reply = await call({ path })
    expect([reply.status, reply.json().params]).toEqual([200, { boxId: 'one', toyPath }])
  })

  it('with several parameters passes all of them', async () => {
    const reply = await call({ method: 'PUT', path: '/v1/boxes/one/toys/two' })
    expect([reply.status, reply.json().params]).toEqual([201, { boxId: 'one', toyId: 'two' }])
  })

  it.each([
    '/',
    '/v1',
    '/v1/nowhere',
    '/toys/a',
    '/v1/toys//',
    '/v1/Toys',
    '/v1/toys/a/b',
    '/v1/boxes/one/path/',
    '/v1/toys/' + 'a'.repeat(3_000),
  ])('%s is not found', async path => {
    const reply = await call({ path })
    expect(reply.status).toBe(404)
    expect(errorOf(reply).message).toBe('There is nothing at this path')
  })

  it.each(['/v1/toys/a/parents', '/v1/shops/one/shelves'])('%s is absent, and the reply says why', async path => {
    const reply = await call({ method: 'DELETE', path })
    expect([reply.status, errorOf(reply).message]).toEqual([404, 'There is nothing at this path: Toys have no parents'])
  })

  it.each([
    ['POST', '/v1/toys/a', 'GET, DELETE'],
    ['GET', '/v1/break', 'POST'],
    ['HEAD', '/v1/break', 'POST'],
    ['PROPFIND', '/v1/toys', 'GET'],
  ])('refuses the method %s on %s and lists the allowed ones', async (method, path, allow) => {
    const reply = await call({ method, path })
    expect([reply.status, reply.headers.allow]).toEqual([405, allow])
    if (method !== 'HEAD') errorOf(reply)
  })

  it.each(['/v1/toys/%', '/v1/toys/%ff', '/v1/toys/%2', '/v1/toys/%00', '/files/%ff', '/%c0%80'])(
    '%s that cannot be decoded is a bad request',
    async path => {
      const reply = await call({ path })
      expect(reply.status).toBe(400)
      errorOf(reply)
      expect(reply.headers['x-request-id']).toBeTruthy()
    },
  )
})

describe('a query', () => {
  it.each([
    ['a=1&b=%C3%A4+%26', { a: '1', b: 'ä &' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['toString=1&constructor=2&a', { toString: '1', constructor: '2', a: '' }],
    ['a=%ff', { a: '\ufffd' }],
    ['', {}],
  ])('%s reaches the service', async (query, parsed) => {
    const reply = await call({ path: `/v1/toys/a?${query}` })
    expect(reply.json().query).toEqual(parsed)
  })
})

describe('many parameters', () => {
  it('of one name arrive in their order', async () => {
    const values = Array.from({ length: 1_000 }, (_, at) => `${at}`)
    const reply = await call({ path: `/v1/toys/a?${values.map(value => `a=${value}`).join('&')}` })
    expect(reply.json().query).toEqual({ a: values })
  })

  it('are refused over the limit of parameters', async () => {
    expect((await call({ path: `/v1/toys/a?${'a&'.repeat(1_001)}` })).status).toBe(400)
  })
})

describe('a body', () => {
  const put = (request: Partial<Sent>) => call({ method: 'PUT', path: '/v1/boxes/a/toys/b', ...request })
  const json = { 'content-type': 'application/json' }

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
    'of the type %s reaches the service byte for byte',
    async type => {
      const reply = await put({ headers: { 'content-type': type }, body: '{"text": "ä😀"}' })
      expect([reply.status, reply.json().body]).toEqual([201, { text: 'ä😀' }])
    },
  )

  it.each(['text/plain', 'application/jsonp', 'multipart/form-data; boundary=a', ''])(
    'of the type %j is not supported',
    async type => {
      const reply = await put({ headers: type ? { 'content-type': type } : {}, body: '{}' })
      expect(reply.status).toBe(415)
      errorOf(reply)
    },
  )

  it('with a content encoding is not supported', async () => {
    expect((await put({ headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' })).status).toBe(415)
  })

  it('that is empty counts as no body, whatever its type', async () => {
    const reply = await put({ headers: { ...json, 'content-length': '0' } })
    expect([reply.status, reply.json().body]).toEqual([201, {}])
    expect((await put({ headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' } })).status).toBe(201)
  })

  it.each([
    ['{', 'is not JSON'],
    ['"text"', 'body'],
  ])('%s that the row does not accept is a bad request', async text => {
    const reply = await put({ headers: json, body: text })
    expect(reply.status).toBe(400)
    expect(errorOf(reply).details).toMatchObject([{ path: 'body' }])
  })

  it.each([
    ['announced', { 'content-length': '5000000' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('that is too large is refused, %s', async (_how, length) => {
    const reply = await put({ headers: { ...json, ...length }, body: Buffer.alloc(5_000_000, 0x20) })
    expect(reply.status).toBe(413)
    expect(errorOf(reply).message).toBe('The body is larger than 1000 bytes')
  })

  it('that is too large does not affect the next request', async () => {
    await put({ headers: { ...json, 'transfer-encoding': 'chunked' }, body: Buffer.alloc(2_000, 0x20) })
    expect((await put({ headers: json, body: '{}' })).status).toBe(201)
  })

  it('of exactly the limit is accepted', async () => {
    const body = JSON.stringify({ text: 'a'.repeat(989) })
    expect(body).toHaveLength(1_000)
    expect((await put({ headers: json, body })).status).toBe(201)
  })
})

describe('a response', () => {
  it('has the status, the type and the headers of the reply', async () => {
    const reply = await call({ path: '/v1/toys/a' })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-length': String(reply.body.byteLength),
    })
    expect(reply.headers).not.toHaveProperty('x-powered-by')
  })

  it('has only a status when the row declares no reply', async () => {
    const reply = await call({ method: 'DELETE', path: '/v1/toys/a' })
    expect([reply.status, reply.body.byteLength, reply.headers['content-type']]).toEqual([204, 0, undefined])
  })

  it('has the location of a created resource', async () => {
    answers.putToy = async () => ({ urls: { location: 'http://recto.test/v1/toys/ä%20漢 b' } })
    const reply = await call({ method: 'PUT', path: '/v1/boxes/a/toys/b' })
    expect([reply.status, reply.headers.location]).toEqual([201, 'http://recto.test/v1/toys/%C3%A4%20%E6%BC%A2%20b'])
  })

  it('to HEAD has the headers of GET and no body', async () => {
    const get = await call({ path: '/v1/toys/a', headers: { 'x-request-id': 'one' } })
    const head = await call({ method: 'HEAD', path: '/v1/toys/a', headers: { 'x-request-id': 'one' } })
    expect([head.status, head.body.byteLength]).toEqual([200, 0])
    for (const name of ['content-length', 'content-type', 'etag']) expect(head.headers[name]).toBe(get.headers[name])
  })

  it('has an ETag, and is 304 for an unchanged resource', async () => {
    answers.getToy = async ({ params }) => ({ ...params })
    const { etag } = (await call({ path: '/v1/toys/a' })).headers
    const again = await call({ path: '/v1/toys/a', headers: { 'if-none-match': `"other", ${etag}` } })
    expect([again.status, again.body.byteLength, again.headers.etag]).toEqual([304, 0, etag])
    expect((await call({ path: '/v1/toys/b', headers: { 'if-none-match': etag ?? '' } })).status).toBe(200)
  })

  it('contains the failure of the service with status, details and Retry-After', async () => {
    answers.getToy = async () => {
      throw new Failure('conflict', 'Nein, ü', { details: [{ path: 'body', message: 'no' }], retryAfter: 9 })
    }
    const reply = await call({ path: '/v1/toys/a' })
    expect([reply.status, reply.headers['retry-after'], reply.headers['cache-control']]).toEqual([409, '9', 'no-store'])
    expect(reply.json()).toEqual({
      error: { code: 409, message: 'Nein, ü', details: [{ path: 'body', message: 'no' }] },
    })
  })

  it.each(['/v1/toys/a', '/broken'])('hides internal errors at %s', async path => {
    answers.getToy = async () => {
      throw new Error('the password is hunter2')
    }
    const reply = await call({ path })
    expect(reply.status).toBe(500)
    expect(errorOf(reply)).toEqual({ code: 500, message: 'Something went wrong on our side' })
  })

  it('is 503 with Retry-After when the service is unavailable', async () => {
    const reply = await call({ path: '/v1/nothing' })
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(errorOf(reply).message).toBe('The nobody service is not available')
  })

  it('is 504 when the service takes longer than the row allows', async () => {
    edge.holders.set(hashToken(token), { scopes: ['admin'] })
    answers.breakToys = () => new Promise(resolve => setTimeout(() => resolve({}), 300))
    const reply = await call({ method: 'POST', path: '/v1/break' })
    expect(reply.status).toBe(504)
    errorOf(reply)
  })
})

describe('a request', () => {
  it('keeps its request id and trace context', async () => {
    const headers = {
      'x-request-id': 'my-id.1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    }
    const reply = await call({ path: '/v1/toys/a', headers })
    expect(reply.headers['x-request-id']).toBe('my-id.1')
    expect(reply.json()).toMatchObject({ requestId: 'my-id.1', trace: '4bf92f3577b34da6a3ce929d0e0e4736' })
  })

  it.each([undefined, '', 'a b', 'a'.repeat(65), 'ü', '<script>'])(
    'with the invalid id %j gets a new one',
    async header => {
      const headers: Record<string, string> = header === undefined ? {} : { 'x-request-id': header }
      const reply = await call({ path: '/v1/toys/a', headers })
      expect(reply.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      expect(reply.json().requestId).toBe(reply.headers['x-request-id'])
    },
  )

  it('is logged with its operation and status, and without its token', async () => {
    await call({ path: '/v1/toys/a' })
    expect(edge.logged).toMatchObject([{ level: 'info', details: { operation: 'getToy', status: 200 } }])
    expect(JSON.stringify(edge.logged)).not.toContain(token)
  })

  it('for the health of the process is answered before the routes', async () => {
    expect((await http(edge.port, { path: '/livez' })).body.toString()).toBe('alive')
    expect((await call({ path: '/files/a' })).body.toString()).toBe('a file')
  })

  it('from another origin is allowed by CORS, with readable response headers', async () => {
    const reply = await call({ path: '/v1/toys', headers: { origin: 'http://elsewhere.test' } })
    expect(reply.headers['access-control-allow-origin']).toBe('*')
    expect(reply.headers['access-control-expose-headers']).toContain('X-Request-Id')
    const preflight = await http(edge.port, {
      method: 'OPTIONS',
      path: '/v1/toys/a',
      headers: {
        origin: 'http://elsewhere.test',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,content-type')
  })
})
