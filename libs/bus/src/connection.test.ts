import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { startNats, type Nats } from '@recto/embedded'
import type { Event } from '@recto/operation'
import { eventually, freePort, provided } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { busState, connectBus, consume, onSignal, parseNatsUrl, publishStored, type Bus } from './index.ts'
import { aLog, aMoment, ask, aToy, failureOf, serveToys } from './test/toy.ts'

const user = { name: 'test', password: 'a:b@c/d', publish: ['>'], subscribe: ['>'] }
const renamed = {
  subject: 'events.toys.toy.renamed',
  summary: 'A toy was renamed',
  payload: z.object({ id: z.string() }),
  consumers: [],
} satisfies Event

let nats: Nats
let start: () => Promise<Nats>
let toys: Bus
let caller: Bus
const notices: string[] = []

beforeAll(async () => {
  const options = {
    binary: provided('natsBinary'),
    storeDir: await mkdtemp(join(provided('runFolder'), 'nats-')),
    users: [user],
    port: await freePort(),
  }
  start = () => startNats(options)
  nats = await start()
  const notice = (message: string) => void notices.push(message)
  const connect = (service: string) => connectBus({ url: nats.urlFor('test'), service, notice })
  ;[toys, caller] = await Promise.all([connect('toys'), connect('caller')])
})
afterAll(async () => {
  await Promise.all([toys.drain(), caller.drain()])
  await nats.stop()
})

async function kill(): Promise<void> {
  process.kill(nats.pid, 'SIGKILL')
  await nats.exited
}

it.each([
  ['nats://host', { servers: ['host:4222'], tls: false }],
  ['nats://a:b%40c@one:1,nats://two:2', { servers: ['one:1', 'two:2'], user: 'a', pass: 'b@c', tls: false }],
  ['tls://[::1]:4222', { servers: ['[::1]:4222'], tls: true }],
  ['host:4333', { servers: ['host:4333'], tls: false }],
])('parses the NATS URL %s', (url, parsed) => expect(parseNatsUrl(url)).toEqual(parsed))

it('a signal is delivered to all subscribers until they unsubscribe', async () => {
  const heard: string[] = []
  const stops = [toys, caller].map(bus => onSignal(bus, renamed, ({ id }) => void heard.push(`${bus.service} ${id}`)))
  await Promise.all([toys.connection.flush(), caller.connection.flush()])
  toys.signal(renamed.subject, 'm1', { id: 'a' })
  await eventually(() => expect(heard.toSorted()).toEqual(['caller a', 'toys a']))
  stops[0]?.()
  toys.signal(renamed.subject, 'm2', { id: 'b' })
  await eventually(() => expect(heard).toContain('caller b'))
  await toys.connection.flush()
  expect(heard).not.toContain('toys b')
  stops[1]?.()
})

it('a signal that is not JSON or violates the schema of its event is ignored', async () => {
  const heard: string[] = []
  const stop = onSignal(caller, renamed, ({ id }) => void heard.push(id))
  await caller.connection.flush()
  toys.connection.publish(renamed.subject, '{')
  toys.signal(renamed.subject, 'm1', { id: 5 })
  toys.signal(renamed.subject, 'm2', { id: 'a' })
  await eventually(() => expect(heard).toEqual(['a']))
  stop()
})

it('a subscriber that throws does not affect other subscribers', async () => {
  const heard: string[] = []
  const stops = [
    onSignal(caller, renamed, () => {
      throw new Error('deaf')
    }),
    onSignal(caller, renamed, ({ id }) => void heard.push(id)),
  ]
  await caller.connection.flush()
  for (const id of ['a', 'b']) toys.signal(renamed.subject, id, { id })
  await eventually(() => expect(heard).toEqual(['a', 'b']))
  expect(notices).toEqual(['bus listener or signal failed', 'bus listener or signal failed'])
  for (const stop of stops) stop()
})

it('a signal on a closed connection is lost without an error', async () => {
  const closed = await connectBus({ url: nats.urlFor('test'), service: 'closed' })
  await closed.drain()
  expect(() => closed.signal(renamed.subject, 'm', { id: 'a' })).not.toThrow()
  await closed.drain()
})

it('callers, services and consumers reconnect to a server that was killed and restarted', async () => {
  const taken: string[] = []
  const log = aLog()
  const server = serveToys(toys, { get: aToy(async () => ({})) })
  const consumer = consume(toys, {
    stream: 'JOBS',
    filter: 'jobs.toys.>',
    ackWait: 1_000,
    maxDeliver: 3,
    maxInFlight: 5,
    log,
    deadLettered: async () => undefined,
    handle: async ({ id }) => (taken.push(id), 'done'),
  })
  await publishStored(caller, { stream: 'JOBS', subject: 'jobs.toys.build', id: 'before', payload: {} })
  await eventually(() => expect(taken).toEqual(['before']))
  let reconnected = 0
  caller.onReconnect(() => void reconnected++)

  expect(await busState(caller)).toBe(true)
  await kill()
  expect(await failureOf(ask(caller, 'get', { timeout: 60_000 }))).toMatchObject({ code: 'unavailable', retryAfter: 1 })
  await eventually(async () => expect(await busState(caller)).toBe('NATS is not reached'))
  nats = await start()

  await eventually(async () => expect((await ask(caller, 'get')).status).toBe(200))
  expect(reconnected).toBe(1)
  expect(notices).toEqual(expect.arrayContaining(['bus disconnect', 'bus reconnect']))
  await eventually(() =>
    publishStored(caller, { stream: 'JOBS', subject: 'jobs.toys.build', id: 'after', payload: {} }),
  )
  await eventually(() => expect(taken).toContain('after'))
  await consumer.stop()
  await server.stop()
})

it('a request in flight fails at once when the server is killed', async () => {
  const begun = aMoment()
  const enough = aMoment()
  serveToys(toys, { wait: aToy(async () => (begun.now(), await enough.come, {})) })
  await toys.connection.flush()
  const failure = failureOf(ask(caller, 'wait', { timeout: 60_000 }))
  await begun.come
  await kill()
  expect((await failure).code).toBe('unavailable')
  enough.now()
  nats = await start()
  await eventually(async () => expect((await ask(caller, 'wait')).status).toBe(200))
})

it('a service stops while connections to the server are accepted and not answered', async () => {
  const direct = new URL(nats.urlFor('test'))
  const sockets: Socket[] = []
  let isSilent = false
  const proxy = createServer(incoming => {
    sockets.push(incoming.on('error', () => undefined))
    if (isSilent) return
    const outgoing = createConnection(Number(direct.port), direct.hostname).on('error', () => undefined)
    sockets.push(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(direct)
  url.port = String((proxy.address() as AddressInfo).port)
  const bus = await connectBus({ url: url.href, service: 'lonely' })
  const server = serveToys(bus, { get: aToy(async () => ({})) })
  await bus.connection.flush()
  isSilent = true
  for (const socket of sockets.splice(0)) socket.destroy()
  await eventually(() => expect(sockets).toHaveLength(1))
  // An attempt to connect ends by itself after 20 seconds; the service does not wait for that.
  const isClosedAtEnd = new Promise(resolve => sockets[0]?.once('close', () => resolve(bus.connection.isClosed())))
  await server.stop()
  await bus.drain()
  expect(bus.connection.isClosed()).toBe(true)
  for (const socket of sockets) socket.destroy()
  expect(await isClosedAtEnd).toBe(true)
  proxy.close()
})

it('a service stops while the server is unreachable', async () => {
  const bus = await connectBus({ url: nats.urlFor('test'), service: 'lonely' })
  const server = serveToys(bus, { get: aToy(async () => ({})) })
  const consumer = consume(bus, {
    stream: 'JOBS',
    filter: 'jobs.toys.>',
    ackWait: 1_000,
    maxDeliver: 3,
    maxInFlight: 5,
    log: aLog(),
    deadLettered: async () => undefined,
    handle: async () => 'done',
  })
  await bus.connection.flush()
  await kill()
  await Promise.all([server.stop(), consumer.stop()])
  await bus.drain()
  expect(bus.connection.isClosed()).toBe(true)
  nats = await start()
})
