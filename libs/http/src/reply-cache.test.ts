import { headerJson } from '@recto/bus'
import { Failure } from '@recto/operation'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { createReplyCache, type Audience, type KnownActor } from './index.ts'
import { anEdge, answer, type Answers, http, type Sent, toys } from './test/edge.ts'

const size = 100_000
const replies = createReplyCache({ size, maxAge: 60_000 })
let variant = '1'
let audience: Audience | undefined
let maxAge: number | undefined
let edge: Awaited<ReturnType<typeof anEdge>>
let requests: string[]
let arriving = (): unknown => undefined
let getPlan: Answers['getPlan']

const actor = { userId: '', kind: 'guest', scopes: [] }
const find = async (): Promise<KnownActor> => {
  arriving()
  return {
    actor,
    header: headerJson(actor),
    tokenId: 'guest',
    expiresAt: Number.POSITIVE_INFINITY,
    audience,
    maxAge,
  }
}

beforeAll(async () => {
  edge = await anEdge({ actors: { find }, cache: { replies, variant: () => variant } })
  const others = Object.fromEntries(Object.keys(toys).map(id => [id, async () => ({})]))
  const asking: Answers['getPlan'] = (input, meta) => {
    requests.push(input.params['planId'] ?? '')
    return getPlan(input, meta)
  }
  answer(edge.toyBus, toys, { ...others, getPlan: asking })
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())
beforeEach(() => {
  requests = []
  replies.clear()
  variant = '1'
  audience = { key: 'guests', resources: ['box'] }
  maxAge = undefined
  getPlan = async ({ params, query }, { setETag }) => (setETag('v1'), { ...params, ...query })
})

const plan = (id = 'a', request: Partial<Sent> = {}) =>
  http(edge.port, { token: 'a', path: `/v1/boxes/box/plans/${id}`, ...request })

describe('a reply that never changes', () => {
  it('is asked for once, and answered as the service did', async () => {
    const first = await plan()
    const again = await plan()
    expect([first.status, first.headers.etag]).toEqual([200, '"v1"'])
    expect(again.body).toEqual(first.body)
    const headerNames = ['etag', 'cache-control', 'content-type', 'content-length']
    expect(headerNames.map(name => again.headers[name])).toEqual(headerNames.map(name => first.headers[name]))
    expect(again.json()).toEqual({ boxId: 'box', planId: 'a', scale: 1, unit: 'mm' })
    expect(requests).toEqual(['a'])
    expect((await plan('a', { path: '/v1/boxes/box/plans/a?scale=2' })).json()).toMatchObject({ scale: 2 })
    expect(requests).toEqual(['a', 'a'])
  })

  it('is asked for once by a hundred callers at once', async () => {
    let finish = (): void => undefined
    const waiting = new Promise<void>(resolve => (finish = resolve))
    getPlan = async () => (await waiting, { a: 1 })
    let arrived = 0
    arriving = () => (arrived += 1)
    const calls = Array.from({ length: 100 }, () => plan())
    await eventually(async () => expect([arrived, requests.length]).toEqual([100, 1]))
    finish()
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect([statuses.filter(status => status === 200).length, requests.length]).toEqual([100, 1])
  })

  it('answers HEAD and conditional requests', async () => {
    await plan()
    const head = await plan('a', { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, '50'])
    for (const etag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const { status, headers, body } = await plan('a', { headers: { 'if-none-match': etag } })
      expect([status, headers.etag, body.length]).toEqual([304, '"v1"', 0])
    }
    expect((await plan('a', { headers: { 'if-none-match': '"v0"' } })).status).toBe(200)
    expect(requests).toEqual(['a'])
    expect((await plan('b', { headers: { 'if-none-match': '"v1"' } })).status).toBe(304)
    expect((await plan('b')).status).toBe(200)
    expect(requests).toEqual(['a', 'b'])
  })

  it('is kept for one audience, one variant and callers with an audience only', async () => {
    await plan()
    audience = { key: 'others', resources: ['box'] }
    await plan()
    variant = '2'
    await plan()
    expect(requests).toHaveLength(3)
    await plan()
    expect(requests).toHaveLength(3)
    audience = undefined
    for (const _time of [1, 2]) await plan()
    audience = { key: 'others', resources: ['another box'] }
    for (const _time of [1, 2]) await plan()
    expect(requests).toHaveLength(7)
  })
})

it.each([
  [undefined, 'private, max-age=43200, immutable'],
  [20, 'private, max-age=20, must-revalidate'],
  [0, 'private, max-age=0, must-revalidate'],
])('a client keeps what never changes as long as its right lasts: %s', async (age, expected) => {
  maxAge = age
  for (const headers of [{}, { 'if-none-match': '"v1"' }]) {
    const reply = await plan('a', { headers })
    expect([reply.headers['cache-control'], reply.headers['vary']]).toEqual([expected, 'Authorization'])
  }
})

it('nothing but a success is kept', async () => {
  getPlan = async () => {
    throw new Failure('not_found', 'Not yet')
  }
  for (const _time of [1, 2]) expect((await plan()).status).toBe(404)
  getPlan = async () => ({})
  expect((await plan()).status).toBe(200)
  expect(requests).toHaveLength(3)
  expect((await plan('a', { path: '/v1/boxes/box/plans/a?scale=x' })).status).toBe(400)
})

it('a reply that is too large is streamed, and not kept', async () => {
  const text = 'x'.repeat(2_000_000)
  getPlan = async () => ({ text })
  for (const _time of [1, 2]) expect((await plan()).json()).toEqual({ text })
  expect(requests).toHaveLength(2)
  const all = await Promise.all([plan(), plan(), plan()])
  expect(all.map(({ body }) => body.length)).toEqual(Array.from({ length: 3 }, () => text.length + 11))
})

it('the cache holds no more bytes than it may', async () => {
  getPlan = async () => ({ text: 'x'.repeat(5_000) })
  for (let at = 0; at < 40; at += 1) await plan(String(at))
  const { bytes } = replies.state()
  expect(bytes).toBeGreaterThan(size / 2)
  expect(bytes).toBeLessThanOrEqual(size)
  await plan('39')
  expect(requests).toHaveLength(40)
  await plan('0')
  expect(requests).toHaveLength(41)
})

it('a resource takes its replies along, also those that are on the way', async () => {
  await plan()
  replies.drop('another box')
  await plan()
  expect(requests).toHaveLength(1)
  replies.drop('box')
  await plan()
  expect(requests).toHaveLength(2)

  getPlan = async () => (replies.drop('box'), {})
  await plan('b')
  getPlan = async () => ({})
  await plan('b')
  expect(requests).toEqual(['a', 'a', 'b', 'b'])
})

it('a reply is asked for again when it is old', async () => {
  const short = createReplyCache({ size, maxAge: 1 })
  let requestCount = 0
  const ask = async () => ((requestCount += 1), { status: 200, body: new Uint8Array(3), size: 3 })
  const place = { key: 'a', within: 'box' }
  await eventually(async () => {
    await short.reply(place, ask)
    expect(requestCount).toBeGreaterThan(2)
  })
})
