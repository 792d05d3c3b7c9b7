import { randomBytes } from 'node:crypto'
import { Failure } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { discard, wholeBody, type Bus, type BusReply } from './index.ts'
import { aBus, ask, aToy, connectAs, failureOf, serveToys } from './test/toy.ts'

const kib = 1024

function toysWith(text: string) {
  return {
    large: aToy(async () => ({ text }), { reply: z.object({ text: z.string() }) }),
    refuse: aToy(
      async () => {
        throw new Failure('conflict', text)
      },
      { errors: ['conflict'] },
    ),
  }
}

/** Records every message on the service's inboxes: the requests for chunks. */
function asksOf(operator: Bus, service: string): string[] {
  const requests: string[] = []
  operator.connection.subscribe(`_INBOX.${service}.>`, {
    callback: (_error, message) => void requests.push(message.string()),
  })
  return requests
}

async function subscriptionsAt(bus: Bus): Promise<number> {
  await bus.connection.flush()
  return (bus.connection as unknown as { protocol: { subscriptions: { subs: Map<number, unknown> } } }).protocol
    .subscriptions.subs.size
}

function streamOf(reply: BusReply): AsyncIterator<Uint8Array> {
  if (reply.body instanceof Uint8Array) throw new Error('the reply came in one message')
  return reply.body[Symbol.asyncIterator]()
}

describe.each([{ maxPayload: 64 * kib }, { maxPayload: kib * kib }])(
  'a reply above the limit of $maxPayload bytes',
  ({ maxPayload }) => {
    const text = randomBytes(15 * kib * kib).toString('base64')
    let setup: Awaited<ReturnType<typeof aBus>>
    let server: { stop(): Promise<void> }
    let idle: number

    beforeAll(async () => {
      setup = await aBus({ maxPayload })
      server = serveToys(setup.toys, toysWith(text))
      await ask(setup.caller, 'nothing').catch(() => undefined)
      idle = await subscriptionsAt(setup.toys)
    })
    // Whatever a test left reading ends before the next one counts.
    afterEach(() => eventually(async () => expect(await subscriptionsAt(setup.toys)).toBe(idle)))
    afterAll(async () => {
      await server.stop()
      await setup.stop()
    })

    it('arrives byte for byte', async () => {
      const reply = await ask(setup.caller, 'large')
      const body = Buffer.from(await wholeBody(reply))
      expect(body.byteLength).toBe(reply.size)
      expect(body.equals(Buffer.from(JSON.stringify({ text })))).toBe(true)
    })

    it('arrives complete for many concurrent readers', async () => {
      const replies = await Promise.all(
        Array.from({ length: 4 }, async () => wholeBody(await ask(setup.caller, 'large'))),
      )
      expect(replies.map(body => body.byteLength)).toEqual(Array(4).fill(Buffer.byteLength(JSON.stringify({ text }))))
    })

    it('streams its first bytes before the rest is sent, and at most one window to a waiting reader', async () => {
      const operator = await connectAs(setup.nats, 'operator')
      const requests = asksOf(operator, 'toys')
      await operator.connection.flush()
      const reading = streamOf(await ask(setup.caller, 'large'))
      expect((await reading.next()).value?.byteLength).toBeLessThan(maxPayload)
      expect(requests).toEqual([])
      await reading.next()
      for (let flushed = 0; flushed < 5; flushed += 1)
        await Promise.all([setup.caller, setup.toys, operator].map(bus => bus.connection.flush()))
      expect(requests).toEqual(['1', '2', '3'])
      await reading.return?.()
      await operator.drain()
    })

    it('releases all resources when its reader stops early', async () => {
      const reading = streamOf(await ask(setup.caller, 'large'))
      await reading.next()
      await reading.next()
      expect(await subscriptionsAt(setup.toys)).toBe(idle + 1)
      await reading.return?.()
      await eventually(async () => expect(await subscriptionsAt(setup.toys)).toBe(idle))
    })

    it('releases all resources when it is never read', async () => {
      await discard(await ask(setup.caller, 'large'))
      await eventually(async () => expect(await subscriptionsAt(setup.toys)).toBe(idle))
    })

    it('may be a failure', async () => {
      const failure = await failureOf(ask(setup.caller, 'refuse'))
      expect(failure.code).toBe('conflict')
      expect(failure.message === text).toBe(true)
    })

    it('fails as unavailable when the service dies in the middle', async () => {
      const doomed = await connectAs(setup.nats, 'doomed')
      serveToys(doomed, toysWith(text))
      await doomed.connection.flush()
      const reading = streamOf(await ask(setup.caller, 'large', { subject: 'api.doomed.large' }))
      await reading.next()
      await doomed.connection.close()
      const rest = (async () => {
        while (!(await reading.next()).done);
      })()
      expect(await failureOf(rest)).toMatchObject({
        code: 'unavailable',
        message: 'The rest of the reply did not arrive',
      })
    })

    it('fails as unavailable when the caller loses its connection in the middle', async () => {
      const [cut, other] = await Promise.all([connectAs(setup.nats, 'cut'), connectAs(setup.nats, 'other')])
      serveToys(other, toysWith(text))
      await other.connection.flush()
      const reading = streamOf(await ask(cut, 'large', { subject: 'api.other.large' }))
      await reading.next()
      await cut.connection.close()
      const rest = (async () => {
        while (!(await reading.next()).done);
      })()
      expect((await failureOf(rest)).code).toBe('unavailable')
      await other.drain()
    })

    it('is completed by a service that stops', async () => {
      const stopping = await connectAs(setup.nats, 'stopping')
      const stoppingServer = serveToys(stopping, toysWith(text))
      await stopping.connection.flush()
      const reply = await ask(setup.caller, 'large', { subject: 'api.stopping.large' })
      const stopped = stoppingServer.stop().then(() => stopping.drain())
      expect((await wholeBody(reply)).byteLength).toBe(reply.size)
      await stopped
    })
  },
)
