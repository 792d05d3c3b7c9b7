import { currentOrigin, Failure, type Origin } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anEdge, answer, type Answers, errorOf, hashToken, http, type Sent, toys } from './test/edge.ts'

let edge: Awaited<ReturnType<typeof anEdge>>
const token = 'a-token'
const answers: Pick<Answers, 'getToy' | 'putToy'> = { getToy: async () => ({}), putToy: async () => ({}) }

beforeAll(async () => {
  edge = await anEdge()
  edge.holders.set(hashToken(token), { scopes: ['read'] })
  const others = Object.fromEntries(Object.keys(toys).map(id => [id, async () => ({})]))
  const getToy: Answers['getToy'] = (...call) => answers.getToy(...call)
  const putToy: Answers['putToy'] = (...call) => answers.putToy(...call)
  answer(edge.toyBus, toys, { ...others, getToy, putToy })
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

const call = (request: Sent) => http(edge.port, { token, ...request })

describe('a conditional request', () => {
  it('with the ETag that the service has set gets 304 without a body, and 200 with another', async () => {
    answers.getToy = async (_input, { setETag }) => (setETag('1'), { a: 1 })
    const first = await call({ path: '/v1/toys/a' })
    expect([first.status, first.headers.etag]).toEqual([200, '"1"'])
    const again = await call({ path: '/v1/toys/a', headers: { 'if-none-match': '"1"' } })
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, '"1"', 0])
    expect(await call({ path: '/v1/toys/a', headers: { 'if-none-match': '"2"' } })).toMatchObject({ status: 200 })
  })

  it('whose If-Match fails learns the current ETag', async () => {
    answers.getToy = async (_input, { ifMatch }) => {
      throw new Failure('precondition_failed', `Not ${ifMatch()?.join()}`, { etag: '"2"' })
    }
    const reply = await call({ path: '/v1/toys/a', headers: { 'if-match': '"1"' } })
    expect([reply.status, reply.headers.etag]).toEqual([412, '"2"'])
    expect(errorOf(reply)).toMatchObject({ message: 'Not 1' })
  })

  it.each(['ü', 'key-ü', 'two words'])(
    'with the Idempotency-Key %j is refused, not carried out without it',
    async key => {
      edge.holders.set(hashToken('writer'), { userId: 'ada', scopes: ['read', 'write'] })
      const sent = { method: 'PUT', path: '/v1/boxes/a/toys/b', token: 'writer', headers: { 'idempotency-key': key } }
      const reply = await call(sent)
      expect([reply.status, errorOf(reply)]).toMatchObject([400, { details: [{ path: 'headers.Idempotency-Key' }] }])
      expect(await call({ ...sent, headers: { 'idempotency-key': 'key' } })).toMatchObject({ status: 201 })
    },
  )

  it('for what never changes may be cached', async () => {
    const { headers } = await call({ path: '/v1/models/a' })
    expect(headers['cache-control']).toBe('private, max-age=43200, immutable')
  })

  it('for what is the same for everybody may be kept by shared caches', async () => {
    const request = { path: '/v1/shown/a' }
    const { headers } = await http(edge.port, request)
    expect(headers['cache-control']).toBe('public, max-age=60')
    const again = await http(edge.port, { ...request, headers: { 'if-none-match': headers.etag ?? '' } })
    expect(again).toMatchObject({ status: 304 })
  })
})

it('tells the service who changes something, with which token and from where, and nothing of reads', async () => {
  const origins: (Origin | undefined)[] = []
  const remember = async () => {
    origins.push(currentOrigin())
    return {}
  }
  Object.assign(answers, { getToy: remember, putToy: remember })
  edge.holders.set(hashToken('writer'), { userId: 'ada', scopes: ['read', 'write'] })
  const sent = { token: 'writer', headers: { 'user-agent': 'x'.repeat(300), 'x-request-id': 'r1' } }
  await call({ ...sent, path: '/v1/toys/a' })
  await call({ ...sent, method: 'PUT', path: '/v1/boxes/b/toys/a' })
  expect(origins).toEqual([
    undefined,
    {
      actor: { kind: 'user', id: 'ada' },
      operationId: 'putToy',
      requestId: 'r1',
      client: {
        address: expect.stringMatching(/127\.0\.0\.1$/),
        userAgent: 'x'.repeat(256),
        token: expect.any(String),
      },
    },
  ])
})
