import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startNats, type Nats } from '@recto/embedded'
import {
  InvalidArgumentError,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from '@nats-io/transport-node'
import { freePort, provided } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectBus, type Bus } from './index.ts'

let nats: Nats
let bus: Bus

beforeAll(async () => {
  nats = await startNats({
    binary: provided('natsBinary'),
    storeDir: await mkdtemp(join(provided('runFolder'), 'nats-')),
    users: [{ name: 'test', password: 'test', publish: ['asked.>', '_INBOX.>'], subscribe: ['asked.>', '_INBOX.>'] }],
    port: await freePort(),
  })
  bus = await connectBus({ url: nats.urlFor('test'), service: 'test' })
  bus.connection.subscribe('asked.echo', { callback: (_error, message) => void message.respond(message.data) })
  bus.connection.subscribe('asked.silence', { callback: () => undefined })
})
afterAll(async () => {
  await bus.drain()
  await nats.stop()
})

const request = (subject: string, body = 'a', timeout = 60_000) => bus.request(subject, body, { timeout })

it('Each of many requests gets its own reply', async () => {
  const bodies = Array.from({ length: 500 }, (_, at) => `body ${at}`)
  const replies = await Promise.all(bodies.map(async body => (await request('asked.echo', body)).string()))
  expect(replies).toEqual(bodies)
})

it('An empty reply is one', async () => {
  expect((await request('asked.echo', '')).data.byteLength).toBe(0)
})

it.each([
  ['that nobody serves', 'asked.nobody', 'a', NoRespondersError],
  ['that gets no reply in time', 'asked.silence', 'a', TimeoutError],
  ['whose subject the service may not publish to', 'forbidden', 'a', PermissionViolationError],
  ['that is larger than a message', 'asked.echo', 'x'.repeat(9_000_000), InvalidArgumentError],
])('A request %s is rejected', async (_case, subject, body, error) => {
  await expect(request(subject, body, subject === 'asked.silence' ? 20 : 60_000)).rejects.toBeInstanceOf(error)
})

it('A request is rejected when the connection closes, and after that', async () => {
  const closing = await connectBus({ url: nats.urlFor('test'), service: 'closing' })
  const waiting = closing.request('asked.silence', 'a', { timeout: 60_000 })
  const [, outcome] = await Promise.all([closing.connection.close(), waiting.catch((error: unknown) => error)])
  expect(outcome).toMatchObject({ code: 'unavailable' })
  await expect(closing.request('asked.echo', 'a', { timeout: 60_000 })).rejects.toThrow()
})
