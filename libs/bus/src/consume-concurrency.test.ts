import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { consume, publishStored, type Bus } from './index.ts'
import { aBus, aLog, aMoment, connectAs } from './test/toy.ts'

let setup: Awaited<ReturnType<typeof aBus>>
let other: Bus
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  setup = await aBus()
  other = await connectAs(setup.nats, 'toys')
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(consumer => consumer.stop()))
  await setup.toys.manager.streams.delete('JOBS').catch(() => false)
})
afterAll(async () => {
  await other.drain()
  await setup.stop()
})

/** A process that handles two jobs concurrently, blocks them until released, and lists those it started. */
function aProcess(bus: Bus) {
  const begun: string[] = []
  const enough = aMoment()
  const handle = async ({ id }: { id: string }) => {
    begun.push(id)
    await enough.come
    return 'done' as const
  }
  running.push(
    { stop: async () => enough.now() },
    consume(bus, {
      stream: 'JOBS',
      filter: 'jobs.toys.>',
      ackWait: 1_000,
      maxDeliver: 3,
      maxInFlight: 1_000,
      concurrency: 2,
      log: aLog(),
      handle,
      deadLettered: async () => undefined,
    }),
  )
  return { begun, end: () => enough.now() }
}

const publish = (id: string) =>
  publishStored(setup.caller, { stream: 'JOBS', subject: 'jobs.toys.build', id, payload: {} })
const counts = async () => {
  const { num_ack_pending, num_pending } = await setup.toys.manager.consumers.info('JOBS', 'toys')
  return { taken: num_ack_pending, waiting: num_pending }
}

it('each process handles as many messages as its limit, and fetches no more than it can start', async () => {
  const first = aProcess(setup.toys)
  const second = aProcess(other)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await publish(id)
  await eventually(async () =>
    expect([first.begun.length, second.begun.length, await counts()]).toEqual([2, 2, { taken: 4, waiting: 2 }]),
  )
  first.end()
  await eventually(async () =>
    expect([first.begun.length, second.begun.length, await counts()]).toEqual([4, 2, { taken: 2, waiting: 0 }]),
  )
  second.end()
  await eventually(async () => expect(await counts()).toEqual({ taken: 0, waiting: 0 }))
  expect([...first.begun, ...second.begun].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

it('recovers when consumer and stream are deleted', async () => {
  const { begun, end } = aProcess(setup.toys)
  end()
  await publish('before')
  await eventually(() => expect(begun).toEqual(['before']))
  await setup.toys.manager.consumers.delete('JOBS', 'toys')
  await publish('between')
  await eventually(() => expect(begun).toEqual(['before', 'between']))
  await setup.toys.manager.streams.delete('JOBS')
  await publish('after')
  await eventually(() => expect(begun).toEqual(['before', 'between', 'after']))
})
