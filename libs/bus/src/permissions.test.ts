import { aNatsServer, eventually, type TestNats } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectBus, consume, ensureStream, publishStored, servicePermissions, type Bus } from './index.ts'
import { aLog, ask, aToy, serveToys } from './test/toy.ts'

const traffic = {
  gateway: { sendsApi: true, calls: ['books.*'], subscribes: ['events.books.>'] },
  books: { serves: true, publishes: true, dispatches: ['jobs.books.>'] },
  readers: { serves: true, publishes: true, calls: ['books.*'], consumes: ['EVENTS'] },
  worker: { calls: ['books.*'], consumes: ['JOBS'] },
} as const
type Name = keyof typeof traffic
const names = Object.keys(traffic) as Name[]

let nats: TestNats
const buses = {} as Record<Name | 'operator', Bus>
const notices: { bus: string; error: string }[] = []

beforeAll(async () => {
  const users = names.map(name => ({ name, password: name, ...servicePermissions(name, traffic[name]) }))
  nats = await aNatsServer({
    users: [...users, { name: 'operator', password: 'operator', publish: ['>'], subscribe: ['>'] }],
  })
  for (const name of [...names, 'operator'] as const) {
    const notice = (_message: string, { error }: Record<string, unknown>) =>
      void notices.push({ bus: name, error: String(error) })
    buses[name] = await connectBus({ url: nats.urlFor(name), service: name, notice })
  }
  await ensureStream(buses.operator, 'EVENTS')
  await ensureStream(buses.operator, 'JOBS')
})
afterAll(async () => {
  await Promise.all(Object.values(buses).map(bus => bus.drain()))
  await nats.stop()
})

/** Whether the server refuses it. Refusals come in order, so the one of what nobody may do comes after it. */
async function isRefused(name: Name, act: 'publish to' | 'subscribe to', subject: string): Promise<boolean> {
  const { connection } = buses[name]
  const before = notices.length
  const refused = (what: string) =>
    notices.slice(before).some(({ bus, error }) => bus === name && error.includes(`"${what}"`))
  if (act === 'publish to') connection.publish(subject, '{}')
  else connection.subscribe(subject, { callback: () => undefined })
  connection.publish('nobody.may', '{}')
  await eventually(() => expect(refused('nobody.may')).toBe(true))
  return refused(subject)
}

describe('a service may not', () => {
  it.each<[Name, 'publish to' | 'subscribe to', string]>([
    ['books', 'publish to', 'api.readers.getReader'],
    ['books', 'publish to', 'api.books.getBook'],
    ['worker', 'publish to', 'api.books.getBook'],
    ['worker', 'publish to', 'rpc.readers.findReader'],
    ['books', 'publish to', 'rpc.readers.findReader'],
    ['books', 'subscribe to', 'api.readers.getReader'],
    ['books', 'subscribe to', 'rpc.readers.findReader'],
    ['gateway', 'subscribe to', 'api.books.getBook'],
    ['books', 'subscribe to', 'api.>'],
    ['books', 'subscribe to', '>'],
    ['books', 'publish to', 'events.readers.reader.updated'],
    ['worker', 'publish to', 'events.books.book.updated'],
    ['gateway', 'publish to', 'events.books.book.updated'],
    ['readers', 'publish to', 'jobs.books.print'],
    ['books', 'subscribe to', '_INBOX.readers.>'],
    ['books', 'subscribe to', '_INBOX.>'],
    ['worker', 'subscribe to', '_INBOX.books.a'],
    ['books', 'subscribe to', 'events.readers.>'],
    ['worker', 'subscribe to', 'jobs.>'],
    ['gateway', 'publish to', '$JS.API.STREAM.DELETE.EVENTS'],
    ['readers', 'publish to', '$JS.API.STREAM.PURGE.EVENTS'],
    ['worker', 'publish to', '$JS.API.CONSUMER.MSG.NEXT.EVENTS.readers'],
    ['books', 'publish to', '$JS.ACK.EVENTS.readers.1.1.1.1.1'],
    ['worker', 'publish to', '$JS.API.STREAM.MSG.GET.EVENTS'],
  ])('%s: %s %s', async (name, act, subject) => {
    expect(await isRefused(name, act, subject)).toBe(true)
  })
})

describe('a service may', () => {
  it('respond to the gateway, respond to a call, and make its declared calls', async () => {
    const toys = { get: aToy(async () => ({})) }
    const servers = [serveToys(buses.books, toys), serveToys(buses.books, toys, { prefix: 'rpc' })]
    await buses.books.connection.flush()
    expect((await ask(buses.gateway, 'get', { subject: 'api.books.get' })).status).toBe(200)
    expect((await ask(buses.worker, 'get', { subject: 'rpc.books.get' })).status).toBe(200)
    await Promise.all(servers.map(server => server.stop()))
  })

  it('publish its own events and jobs, and consume those of others', async () => {
    const taken: string[] = []
    const settings = { ackWait: 5_000, maxDeliver: 2, maxInFlight: 5, log: aLog(), deadLettered: async () => undefined }
    const handle = async ({ subject }: { subject: string }) => (taken.push(subject), 'done' as const)
    const consumers = [
      consume(buses.readers, { ...settings, stream: 'EVENTS', filter: 'events.books.>', handle }),
      consume(buses.worker, { ...settings, stream: 'JOBS', filter: 'jobs.books.print', handle }),
    ]
    await publishStored(buses.books, { stream: 'EVENTS', subject: 'events.books.book.updated', id: 'e1', payload: {} })
    await publishStored(buses.books, { stream: 'JOBS', subject: 'jobs.books.print', id: 'j1', payload: {} })
    await eventually(() => expect(taken.toSorted()).toEqual(['events.books.book.updated', 'jobs.books.print']))
    await Promise.all(consumers.map(consumer => consumer.stop()))
  })
})
