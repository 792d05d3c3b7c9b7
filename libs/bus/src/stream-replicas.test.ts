import { aNatsCluster, aNatsServer, eventually, type NatsCluster } from '@recto/testing'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { connectBus, consume, ensureStream, publishStored, servicePermissions, type Bus } from './index.ts'
import { aLog } from './test/toy.ts'

const user = {
  name: 'toys',
  password: 'toys',
  ...servicePermissions('toys', { publishes: true, consumes: ['EVENTS'] }),
}
const buses: Bus[] = []
let cluster: NatsCluster

beforeAll(async () => {
  cluster = await aNatsCluster({ users: [user] })
})
afterAll(async () => {
  await Promise.all(buses.map(bus => bus.drain()))
  await cluster.stop()
})

async function aToyBus(url: string, options: Partial<Parameters<typeof connectBus>[0]> = {}): Promise<Bus> {
  const bus = await connectBus({ url, service: 'toys', ...options })
  buses.push(bus)
  return bus
}

const consumeEvents = (bus: Bus, onEvent: (id: string) => void = () => {}) =>
  consume(bus, {
    stream: 'EVENTS',
    filter: 'events.>',
    ackWait: 5_000,
    maxDeliver: 3,
    maxInFlight: 10,
    log: aLog(),
    handle: async ({ id }) => (onEvent(id), 'done'),
    deadLettered: async () => undefined,
  })

const replicasOf = async (bus: Bus) => (await bus.manager.streams.info('EVENTS')).config.num_replicas

it('A stream of a version that kept one replica gets three, and its consumer with it', async () => {
  const before = await aToyBus(cluster.urlFor())
  await ensureStream(before, 'EVENTS')
  expect(await replicasOf(before)).toBe(1)
  const bus = await aToyBus(cluster.urlFor(), { streamReplicas: 3 })
  const taken: string[] = []
  const consumer = consumeEvents(bus, id => taken.push(id))
  await eventually(async () => {
    expect(await replicasOf(bus)).toBe(3)
    const [stream] = await cluster.streams()
    expect(stream?.current).toHaveLength(3)
    expect((await bus.manager.consumers.info('EVENTS', 'toys')).cluster?.replicas).toHaveLength(2)
  })
  const leader = await cluster.leaderOf('EVENTS')
  await leader.kill()
  await eventually(() =>
    publishStored(bus, { stream: 'EVENTS', subject: 'events.toys.toy.built', id: 'one', payload: {} }),
  )
  await eventually(() => expect(taken).toContain('one'))
  await leader.start()
  // A version that knows nothing of replicas starts beside it.
  await ensureStream(before, 'EVENTS')
  expect(await replicasOf(bus)).toBe(3)
  await consumer.stop()
})

it('A stream that has fewer replicas than it should gets them while it is consumed', async () => {
  const bus = await aToyBus(cluster.urlFor(), { streamReplicas: 3 })
  const consumer = consumeEvents(bus)
  await eventually(async () => expect(await replicasOf(bus)).toBe(3))
  await eventually(async () =>
    expect((await bus.manager.consumers.info('EVENTS', 'toys')).num_waiting).toBeGreaterThan(0),
  )
  const operator = await aToyBus(cluster.urlFor())
  const update = jest.spyOn(bus.manager.streams, 'update')
  await eventually(() => operator.manager.streams.update('EVENTS', { num_replicas: 1 }))
  await eventually(() => expect(update).toHaveBeenCalledWith('EVENTS', { num_replicas: 3 }))
  await eventually(async () => expect(await replicasOf(bus)).toBe(3))
  await consumer.stop()
})

it('A cluster of fewer servers than replicas keeps one, and says so', async () => {
  const notices: string[] = []
  const bus = await aToyBus(cluster.urlFor(), { streamReplicas: 5, notice: message => void notices.push(message) })
  await eventually(async () => {
    await bus.manager.streams.delete('EVENTS').catch(() => false)
    await expect(bus.manager.streams.info('EVENTS')).rejects.toThrow('stream not found')
  })
  await ensureStream(bus, 'EVENTS')
  await ensureStream(bus, 'EVENTS')
  expect(await replicasOf(bus)).toBe(1)
  expect(notices).toContain('a stream has one replica for now')
})

it('A single server keeps streams, however many replicas are wanted', async () => {
  const nats = await aNatsServer()
  const bus = await connectBus({ url: nats.url, service: 'toys', streamReplicas: 3 })
  await ensureStream(bus, 'EVENTS')
  await ensureStream(bus, 'EVENTS')
  await publishStored(bus, { stream: 'EVENTS', subject: 'events.caller.toy.built', id: 'one', payload: {} })
  expect((await bus.manager.streams.info('EVENTS')).state.messages).toBe(1)
  await bus.drain()
  await nats.stop()
})
