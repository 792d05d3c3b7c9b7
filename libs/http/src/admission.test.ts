import { Failure, operations } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createRateLimit } from './index.ts'
import { anEdge, answer, type Answers, errorOf, hashToken, http, toys } from './test/edge.ts'

type Edge = Awaited<ReturnType<typeof anEdge>>
const ttl = 400
let edge: Edge
const echo: Answers['getToy'] = async (_input, { actor }) => ({ user: actor?.userId })

async function served(options: Parameters<typeof anEdge>[0]): Promise<Edge> {
  const made = await anEdge(options)
  answer(made.toyBus, toys, {
    getToy: echo,
    listToys: echo,
    putToy: echo,
    deleteToy: async () => undefined,
    breakToys: echo,
  })
  await made.toyBus.connection.flush()
  return made
}

beforeAll(async () => (edge = await served({ ttl })))
afterAll(() => edge.stop())

let made = 0
function aToken(holder: Parameters<Edge['holders']['set']>[1] = {}, at = edge): string {
  const token = `token-${made++}`
  at.holders.set(hashToken(token), holder)
  return token
}

const get = (token?: string, at = edge) => http(at.port, { path: '/v1/toys/a', ...(token && { token }) })
const asks = (token: string) => edge.requests.filter(hash => hash === hashToken(token)).length

describe('a request without a valid token', () => {
  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token a', 'Bearer a b', 'Bearer unknown'])(
    'is refused with %j',
    async authorization => {
      const reply = await http(edge.port, {
        path: '/v1/toys/a',
        headers: authorization === undefined ? {} : { authorization },
      })
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer realm="recto"'])
      errorOf(reply)
    },
  )

  it('is allowed for a public row', async () => {
    expect((await http(edge.port, { path: '/v1/toys' })).json()).toEqual({})
  })

  it('is refused when its token has expired', async () => {
    expect((await get(aToken({ expiresAt: Date.now() - 1 }))).status).toBe(401)
  })

  it('is refused from the moment its cached token expires', async () => {
    const token = aToken({ expiresAt: Date.now() + 150 })
    expect((await get(token)).status).toBe(200)
    await eventually(async () => expect((await get(token)).status).toBe(401))
    expect(asks(token)).toBe(1)
  })

  it.each(['bearer', 'BEARER', 'Bearer  '])('accepts the scheme written as %j', async scheme => {
    const authorization = `${scheme} ${aToken({ userId: 'ada' })}`
    expect((await http(edge.port, { path: '/v1/toys/a', headers: { authorization } })).json()).toEqual({ user: 'ada' })
  })
})

describe('a token', () => {
  it.each([
    [['read'], 'GET', '/v1/toys/a', 200],
    [['read'], 'HEAD', '/v1/toys/a', 200],
    [['read'], 'DELETE', '/v1/toys/a', 403],
    [['write'], 'DELETE', '/v1/toys/a', 204],
    [['write'], 'POST', '/v1/break', 403],
    [['admin'], 'POST', '/v1/break', 200],
    [[], 'GET', '/v1/toys/a', 403],
    [['unheard-of'], 'GET', '/v1/toys/a', 403],
  ])('with the scopes %j may %s %s: %i', async (scopes, method, path, status) => {
    const reply = await http(edge.port, { method, path, token: aToken({ scopes }) })
    expect(reply.status).toBe(status)
    if (status === 403) expect(errorOf(reply).message).toMatch(/^The token lacks the scope/)
  })

  it('is looked up once for concurrent requests and then cached', async () => {
    const token = aToken()
    const replies = await Promise.all(Array.from({ length: 10 }, () => get(token)))
    await get(token)
    expect([replies.map(reply => reply.status), asks(token)]).toEqual([Array(10).fill(200), 1])
  })

  it('is looked up again when its cache entry expires', async () => {
    const token = aToken({ userId: 'before' })
    await get(token)
    edge.holders.set(hashToken(token), { userId: 'after' })
    await eventually(async () => expect((await get(token)).json()).toEqual({ user: 'after' }))
  })

  it('is looked up again when its user is evicted from the cache, and no other', async () => {
    const mine = aToken({ userId: 'bob' })
    const other = aToken({ userId: 'eve' })
    await Promise.all([get(mine), get(other)])
    edge.holders.delete(hashToken(mine))
    edge.holders.delete(hashToken(other))
    edge.actors.drop(({ userId }) => ['bob', 'nobody'].includes(userId))
    expect([(await get(mine)).status, (await get(other)).status]).toEqual([401, 200])
  })

  it('is looked up again when its user is evicted during the lookup', async () => {
    const token = aToken({ userId: 'bob' })
    const first = edge.actors.find(token)
    edge.actors.drop(({ userId }) => ['bob'].includes(userId))
    edge.holders.set(hashToken(token), { userId: 'robert' })
    const second = edge.actors.find(token)
    await first
    expect((await second).actor.userId).toBe('robert')
    expect((await edge.actors.find(token)).actor.userId).toBe('robert')
    expect(asks(token)).toBe(2)
  })

  it('that is unknown is cached for a short time', async () => {
    for (let count = 0; count < 5; count += 1) expect((await get('guessed')).status).toBe(401)
    expect(asks('guessed')).toBe(1)
  })

  it('that cannot be looked up is unavailable rather than invalid', async () => {
    const token = aToken()
    await edge.ownersLeave()
    const reply = await get(token)
    expect([reply.status, reply.headers['retry-after'], reply.headers['www-authenticate']]).toEqual([
      503,
      '1',
      undefined,
    ])
    errorOf(reply)
    await edge.ownersReturn()
    expect((await get(token)).status).toBe(200)
  })

  it('is accepted from the cache while its service is unavailable', async () => {
    const token = aToken()
    await get(token)
    await edge.ownersLeave()
    expect((await get(token)).status).toBe(200)
    await edge.ownersReturn()
  })
})

describe('a rate limit', () => {
  it('is reported with every response, and refuses excess requests with Retry-After', async () => {
    const limited = await served({ rate: createRateLimit(3) })
    const mine = aToken({ userId: 'ada' }, limited)
    const other = aToken({ userId: 'bob', scopes: [] }, limited)
    const replies = []
    for (let count = 0; count < 5; count += 1) replies.push(await get(mine, limited))
    expect(
      replies.map(reply => [reply.status, reply.headers['x-ratelimit-limit'], reply.headers['x-ratelimit-remaining']]),
    ).toEqual([
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
      [429, '3', '0'],
    ])
    const last = replies.at(-1)
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(last?.headers['retry-after']).toBe(last?.headers['x-ratelimit-reset'])
    expect((await get(other, limited)).headers['x-ratelimit-remaining']).toBe('2')
    await limited.stop()
  })

  it('refuses clients that guess tokens, and no others', async () => {
    const guarded = await served({ refusals: createRateLimit(2) })
    const statuses = []
    for (let guess = 0; guess < 4; guess += 1) statuses.push((await get(`guess-${guess}`, guarded)).status)
    expect(statuses).toEqual([401, 401, 429, 429])
    expect((await get(aToken({}, guarded), guarded)).status).toBe(200)
    await guarded.stop()
  })

  it('refuses a token from addresses that it may not be used from', async () => {
    const house = await served({ mount: app => void app.set('trust proxy', 'loopback') })
    const token = aToken({ allowedAddresses: ['192.0.2.0/24', '2001:db8::1'] }, house)
    const from = async (address: string) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
      return (await http(house.port, { path: '/v1/toys/1', headers })).status
    }
    expect([await from('192.0.2.9'), await from('2001:db8::1'), await from('198.51.100.1')]).toEqual([200, 200, 403])
    await house.stop()
  })

  it('is shared by the requests of a public row with the same parameter, whatever address they come from', async () => {
    const ring = {
      summary: 'Ring',
      reply: z.object({}),
      access: { public: true },
      limits: { rateBy: 'doorId', bodyBytes: 5 },
    } as const
    const doors = operations({ ringDoor: { ...ring, route: 'POST /doors/{doorId}/ring', body: z.object({}) } })
    const house = await anEdge({
      api: { toys: doors },
      rate: createRateLimit(2),
      mount: app => void app.set('trust proxy', 'loopback'),
    })
    answer(house.toyBus, doors, { ringDoor: async () => ({}) })
    await house.toyBus.connection.flush()
    const at = async (door: string, from: string, body = '{}') => {
      const headers = { 'x-forwarded-for': from, 'content-type': 'application/json' }
      return (await http(house.port, { method: 'POST', path: `/v1/doors/${door}/ring`, headers, body })).status
    }
    expect([await at('a', '10.0.0.1'), await at('a', '10.0.0.2'), await at('a', '10.0.0.3')]).toEqual([200, 200, 429])
    expect([await at('b', '10.0.0.1'), await at('b', '10.0.0.1')]).toEqual([200, 429])
    expect(await at('c', '10.0.0.4', '{"a":1}')).toBe(413)
    await house.stop()
  })

  it('counts per key', async () => {
    const limit = createRateLimit(1)
    await limit.take('a')
    await expect(limit.take('a')).rejects.toThrow(Failure)
    expect(await limit.take('b')).toMatchObject({ limit: 1, remaining: 0 })
  })
})
