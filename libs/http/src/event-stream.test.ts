import { once } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import { type RequestMeta } from '@recto/bus'
import { Failure, operations } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { anEdge, answer, hashToken, http, toys } from './test/edge.ts'

const rows = operations({
  watchToys: {
    route: 'GET /watch/{kind}',
    summary: 'Watch toys',
    reply: z.object({ text: z.string() }),
    response: { mediaType: 'text/event-stream' },
    errors: ['conflict'],
  },
  followToys: {
    route: 'GET /follow/{kind}',
    summary: 'Follow toys',
    reply: z.object({ at: z.string() }),
    response: { mediaType: 'text/event-stream', eventId: 'at' },
    limits: { timeoutMs: 60_000 },
  },
})

let edge: Awaited<ReturnType<typeof anEdge>>
const token = 'a-token'
const seen = { made: 0, isEnded: false }
const gate = new EventTarget()

async function* ofKind(kind: string, { signal }: RequestMeta): AsyncGenerator<object> {
  if (kind === 'busy') throw new Failure('rate_limited', 'Too much', { retryAfter: 9 })
  yield { text: 'first\nline' }
  if (kind === 'breaks') throw new Failure('unavailable', 'broken off')
  if (kind === 'stalls') {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    seen.isEnded = true
  }
  for (; kind === 'endless'; seen.made += 1) yield { text: 'x'.repeat(100_000) }
  yield { text: 'last' }
}

/** One event, when the stream has been open without any. */
async function* afterAWhile({ signal }: RequestMeta): AsyncGenerator<object> {
  await Promise.race([once(gate, 'open'), new Promise(resolve => signal.addEventListener('abort', resolve))])
  yield { at: '7-a' }
}

beforeAll(async () => {
  edge = await anEdge({ api: { toys: { ...toys, ...rows } } })
  edge.holders.set(hashToken(token), { scopes: ['read', 'write'] })
  answer(edge.toyBus, rows, {
    followToys: async (_input: object, meta: RequestMeta) => afterAWhile(meta),
    watchToys: async ({ params }: { params: { kind: string } }, meta: RequestMeta) => ofKind(params.kind, meta),
  })
  await edge.toyBus.connection.flush()
})
afterAll(() => edge.stop())

async function open(kind: string, path = 'watch'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` }
  const outgoing = send({ host: '127.0.0.1', port: edge.port, path: `/v1/${path}/${kind}`, headers, agent: false })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return incoming
}

it('events are sent as a stream of server-sent events', async () => {
  const { status, headers, body } = await http(edge.port, { path: '/v1/watch/all', token })
  expect([status, headers['content-type'], headers['cache-control'], headers['content-length']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
    undefined,
  ])
  expect(body.toString()).toBe('data: {"text":"first\\nline"}\n\ndata: {"text":"last"}\n\n')
})

it('the failure of the first event is an ordinary reply', async () => {
  const { status, headers, json } = await http(edge.port, { path: '/v1/watch/busy', token })
  expect([status, headers['retry-after'], json()]).toEqual([429, '9', { error: { code: 429, message: 'Too much' } }])
})

it('a failure after the first event breaks the connection', async () => {
  const incoming = await open('breaks')
  incoming.resume()
  await expect(once(incoming, 'end')).rejects.toThrow('aborted')
})

it('a client that disconnects ends the events', async () => {
  const incoming = await open('stalls')
  await once(incoming, 'readable')
  incoming.destroy()
  await eventually(() => expect(seen.isEnded).toBe(true))
})

it('a client that does not read stops the events until it does', async () => {
  const incoming = await open('endless')
  const steady = async () => {
    const before = seen.made
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(seen.made).toBe(before)
    expect(before).toBeGreaterThan(0)
  }
  await eventually(steady)
  const before = seen.made
  incoming.resume()
  await eventually(() => expect(seen.made).toBeGreaterThan(before + 50))
  incoming.destroy()
})

it('a stream whose events have an id begins without one, and comments keep it open', async () => {
  const incoming = await open('all', 'follow')
  expect(incoming.statusCode).toBe(200)
  gate.dispatchEvent(new Event('open'))
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  expect(text).toMatch(/^(:\n\n)+id: 7-a\ndata: \{"at":"7-a"\}\n\n$/)
})
