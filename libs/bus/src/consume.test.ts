import { currentTraceId } from '@recto/telemetry'
import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { consume, ensureStream, publishStored, type Consuming, type Delivery } from './index.ts'
import { aBus, aLog, aMoment } from './test/toy.ts'

let setup: Awaited<ReturnType<typeof aBus>>
let log: ReturnType<typeof aLog>
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  setup = await aBus()
})
beforeEach(() => {
  log = aLog()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(consumer => consumer.stop()))
  await setup.toys.manager.streams.delete('JOBS').catch(() => false)
})
afterAll(() => setup.stop())

function consuming(handle: Consuming['handle'], more: Partial<Consuming> = {}) {
  const consumer = consume(setup.toys, {
    stream: 'JOBS',
    filter: 'jobs.toys.>',
    ackWait: 1_000,
    maxDeliver: 3,
    maxInFlight: 10,
    log,
    handle,
    deadLettered: async () => undefined,
    ...more,
  })
  running.push(consumer)
  return consumer
}

function publish(id: string, payload: unknown = {}): Promise<void> {
  return publishStored(setup.caller, { stream: 'JOBS', subject: 'jobs.toys.build', id, payload })
}

/** The number of messages in the work queue, which deletes acknowledged ones. */
async function waiting(): Promise<number> {
  return (await setup.toys.manager.streams.info('JOBS')).state.messages
}

it('delivers each message once, with its id, and acknowledges it after handling', async () => {
  const taken: Delivery[] = []
  consuming(async delivery => (taken.push(delivery), 'done'))
  await publish('one', { text: 'ä' })
  await publish('one', { text: 'again' })
  await publish('two')
  await eventually(() => expect(taken).toHaveLength(2))
  expect(taken[0]).toEqual({ id: 'one', subject: 'jobs.toys.build', payload: { text: 'ä' }, delivery: 1, last: false })
  await eventually(async () => expect(await waiting()).toBe(0))
})

it('delivers a message again under the same id when it is dispatched again', async () => {
  const taken: string[] = []
  consuming(async ({ id }) => (taken.push(id), 'done'))
  const message = { stream: 'JOBS', subject: 'jobs.toys.build', id: 'one', payload: {} } as const
  for (const dispatch of [1, 1, 2, 2, 3]) await publishStored(setup.caller, { ...message, dispatch })
  await eventually(() => expect(taken).toEqual(['one', 'one', 'one']))
})

it('handles a message in the trace of its publisher', async () => {
  const traces: unknown[] = []
  consuming(async () => (traces.push(currentTraceId()), 'done'))
  const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
  await publishStored(setup.caller, { stream: 'JOBS', subject: 'jobs.toys.build', id: 'traced', payload: {}, trace })
  await eventually(() => expect(traces).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736']))
  await publish('untraced')
  await eventually(() => expect(traces).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736', undefined]))
})

it('keeps a message in the stream until it is handled', async () => {
  const begun = aMoment()
  const enough = aMoment()
  consuming(async () => (begun.now(), await enough.come, 'done'))
  await publish('one')
  await begun.come
  expect(await waiting()).toBe(1)
  enough.now()
  await eventually(async () => expect(await waiting()).toBe(0))
})

it('redelivers a message when its handler requests a retry', async () => {
  const deliveries: number[] = []
  consuming(async ({ delivery }) => (deliveries.push(delivery), delivery === 1 ? { retryIn: 20 } : 'done'))
  await publish('one')
  await eventually(async () => expect([deliveries, await waiting()]).toEqual([[1, 2], 0]))
})

it('does not redeliver a message whose handler runs longer than the acknowledgement deadline', async () => {
  let deliveries = 0
  consuming(
    async () => {
      deliveries += 1
      await new Promise(resolve => setTimeout(resolve, 1_500))
      return 'done'
    },
    { ackWait: 300 },
  )
  await publish('one')
  await eventually(async () => expect([deliveries, await waiting()]).toEqual([1, 0]))
})

it('dead-letters a failing message once, after its last delivery, and removes it', async () => {
  const deliveries: number[] = []
  const dead: unknown[] = []
  const broken = new Error('broken')
  consuming(
    async ({ delivery }) => {
      deliveries.push(delivery)
      throw broken
    },
    { maxDeliver: 2, deadLettered: async (delivery, error) => void dead.push([delivery.id, delivery.last, error]) },
  )
  await publish('one')
  await eventually(() => expect(dead).toEqual([['one', true, broken]]))
  await eventually(async () => expect(await waiting()).toBe(0))
  expect(deliveries).toEqual([1, 2])
})

it('dead-letters a message whose handler requests a retry at its last delivery', async () => {
  const dead: string[] = []
  consuming(async () => ({ retryIn: 10 }), { maxDeliver: 2, deadLettered: async ({ id }) => void dead.push(id) })
  await publish('one')
  await eventually(async () => expect([dead, await waiting()]).toEqual([['one'], 0]))
})

it('dead-letters a message whose worker died at the last delivery, without handling it again', async () => {
  const died = { filter: 'jobs.toys.>', maxDeliver: 1, ackWait: 300 }
  await ensureStream(setup.toys, 'JOBS')
  await publish('one')
  const dead: string[] = []
  let handled = 0
  const first = consuming(async () => (handled++, { retryIn: 60_000 }), { ...died, maxDeliver: 2 })
  await eventually(() => expect(handled).toBe(1))
  await first.stop()
  const message = await eventually(async () => {
    const { num_ack_pending } = await setup.toys.manager.consumers.info('JOBS', 'toys')
    return num_ack_pending
  })
  expect(message).toBe(1)
  await setup.toys.manager.consumers.delete('JOBS', 'toys')
  const killed = await setup.toys.connection.request(
    '$JS.API.CONSUMER.DURABLE.CREATE.JOBS.toys',
    JSON.stringify({
      stream_name: 'JOBS',
      config: {
        durable_name: 'toys',
        ack_policy: 'explicit',
        deliver_policy: 'all',
        filter_subject: 'jobs.toys.>',
        ack_wait: 300_000_000,
        max_deliver: -1,
        max_ack_pending: 10,
      },
    }),
  )
  expect(killed.json()).not.toHaveProperty('error')
  const taken = await (await setup.toys.jetstream.consumers.get('JOBS', 'toys')).next({ expires: 2_000 })
  expect(taken?.info.deliveryCount).toBe(1)
  consuming(async () => (handled++, 'done'), {
    ...died,
    deadLettered: async ({ id, delivery }) => void dead.push(`${id} ${delivery}`),
  })
  await eventually(async () => expect([dead, await waiting()]).toEqual([['one 2'], 0]))
  expect(handled).toBe(1)
})

it('treats a message that is not JSON as a failed one', async () => {
  const dead: unknown[] = []
  consuming(
    async ({ payload }) => {
      if (payload === undefined) throw new Error('no payload')
      return 'done'
    },
    { maxDeliver: 1, deadLettered: async ({ payload }) => void dead.push(payload) },
  )
  await ensureStream(setup.caller, 'JOBS')
  // A stream takes messages a moment after it was created.
  await eventually(() => setup.caller.jetstream.publish('jobs.toys.build', '{'))
  await eventually(async () => expect([dead, await waiting()]).toEqual([[undefined], 0]))
})

it('handles no more messages concurrently than its limit', async () => {
  const enough = aMoment()
  let inWork = 0
  consuming(async () => (inWork++, await enough.come, inWork--, 'done'), { maxInFlight: 2 })
  for (const id of ['a', 'b', 'c', 'd']) await publish(id)
  await eventually(async () => {
    const { num_ack_pending, num_pending } = await setup.toys.manager.consumers.info('JOBS', 'toys')
    expect([inWork, num_ack_pending, num_pending]).toEqual([2, 2, 2])
  })
  enough.now()
  await eventually(async () => expect(await waiting()).toBe(0))
})

it('updates a consumer that another version created with other settings', async () => {
  await consuming(async () => 'done', { ackWait: 2_000 }).stop()
  const taken: string[] = []
  await eventually(async () => expect(await setup.toys.manager.consumers.info('JOBS', 'toys')).toBeTruthy())
  consuming(async ({ id }) => (taken.push(id), 'done'), { ackWait: 3_000, maxInFlight: 3 })
  await publish('one')
  await eventually(() => expect(taken).toEqual(['one']))
  const { config } = await setup.toys.manager.consumers.info('JOBS', 'toys')
  expect([config.ack_wait, config.max_ack_pending]).toEqual([3_000_000_000, 3])
})

it('recovers when the consumer is deleted', async () => {
  const taken: string[] = []
  consuming(async ({ id }) => (taken.push(id), 'done'))
  await publish('before')
  // Waits for the acknowledgement, because an unacknowledged message would be redelivered.
  await eventually(async () => expect([taken, await waiting()]).toEqual([['before'], 0]))
  await setup.toys.manager.consumers.delete('JOBS', 'toys')
  await publish('after')
  await eventually(() => expect(taken).toEqual(['before', 'after']))
})

it('recovers when the stream is deleted, even while a message is being handled', async () => {
  const taken: string[] = []
  const dead: string[] = []
  const begun = aMoment()
  const enough = aMoment()
  consuming(
    async ({ id }) => {
      taken.push(id)
      if (id !== 'before') return 'done'
      begun.now()
      await enough.come
      return 'done'
    },
    { maxDeliver: 1, deadLettered: async ({ id }) => void dead.push(id) },
  )
  await publish('before')
  await begun.come
  await setup.toys.manager.streams.delete('JOBS')
  enough.now()
  await publish('after')
  await eventually(() => expect(taken).toEqual(['before', 'after']))
  expect(dead).toEqual([])
})

it('finishes the messages in progress before it stops, and fetches no others', async () => {
  const begun = aMoment()
  const enough = aMoment()
  const taken: string[] = []
  const consumer = consuming(async ({ id }) => (taken.push(id), begun.now(), await enough.come, 'done'))
  await publish('one')
  await begun.come
  const stopped = consumer.stop()
  await publish('two')
  enough.now()
  await stopped
  expect(taken).toEqual(['one'])
  expect(await waiting()).toBe(1)
})
