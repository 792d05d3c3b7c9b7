import { Failure } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type BusReply, type RequestMeta } from './index.ts'
import { aBus, ask, aToy, aMoment, failureOf, serveToys, type Toys } from './test/toy.ts'

let setup: Awaited<ReturnType<typeof aBus>>
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => (setup = await aBus()))
afterEach(async () => void (await Promise.all(running.splice(0).map(server => server.stop()))))
afterAll(() => setup.stop())

const row = {
  reply: z.object({ count: z.number() }),
  response: { mediaType: 'text/event-stream' as const },
}

async function serving(toys: Toys) {
  running.push(serveToys(setup.toys, toys))
  await setup.toys.connection.flush()
}

function eventsOf({ events }: BusReply): AsyncIterableIterator<Uint8Array> {
  if (!events) throw new Error('the reply is no stream')
  return events
}

async function read(events: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const event of events) all.push(JSON.parse(Buffer.from(event).toString()))
  return all
}

async function* counting(to: number): AsyncGenerator<object> {
  for (let count = 1; count <= to; count += 1) yield { count, undeclared: 'secret' }
}

it('a stream has its events in order, shaped by the row', async () => {
  await serving({ count: aToy(async () => counting(200), row) })
  const events = await read(eventsOf(await ask(setup.caller, 'count')))
  expect(events).toEqual(Array.from({ length: 200 }, (_, at) => ({ count: at + 1 })))
})

it('a stream makes no event before the one before it is read', async () => {
  let made = 0
  async function* endless() {
    for (;;) yield { count: (made += 1) }
  }
  await serving({ count: aToy(async () => endless(), row) })
  const events = eventsOf(await ask(setup.caller, 'count'))
  for (let turn = 0; turn < 3; turn += 1) await events.next()
  expect(made).toBe(3)
  await events.return?.()
})

it('a failure before the stream is that of the request, and one in it comes after the events before it', async () => {
  async function* breaking() {
    yield { count: 1 }
    throw new Failure('unavailable', 'broken off', { retryAfter: 7 })
  }
  const refuse = async () => {
    throw new Failure('conflict', 'not now')
  }
  await serving({ refuse: aToy(refuse, { ...row, errors: ['conflict'] }), break: aToy(async () => breaking(), row) })
  expect(await failureOf(ask(setup.caller, 'refuse'))).toMatchObject({ code: 'conflict' })
  const events = eventsOf(await ask(setup.caller, 'break'))
  expect((await events.next()).done).toBe(false)
  expect(await failureOf(events.next())).toMatchObject({
    code: 'unavailable',
    message: 'broken off',
    retryAfter: 7,
  })
  expect((await events.next()).done).toBe(true)
})

it('an event that the row does not have fails the stream as internal', async () => {
  async function* wrong() {
    yield { count: 'many' }
  }
  await serving({ count: aToy(async () => wrong(), row) })
  expect(await failureOf(read(eventsOf(await ask(setup.caller, 'count'))))).toMatchObject({ code: 'internal' })
})

it('a receiver that stops while it waits ends the work at once', async () => {
  const firstRequest = aMoment()
  let isEnded = false
  async function* stalling({ signal }: RequestMeta) {
    firstRequest.now()
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    isEnded = true
    yield { count: 1 }
  }
  await serving({ count: aToy(async (_input, meta) => stalling(meta), row) })
  const events = eventsOf(await ask(setup.caller, 'count'))
  const next = events.next()
  await firstRequest.come
  await events.return?.()
  await eventually(() => expect(isEnded).toBe(true))
  expect((await next).done).toBe(true)
})

it('events that a service passes on end at once when their receiver stops, also while none comes', async () => {
  const firstRequest = aMoment()
  let isEnded = false
  let end = (): void => undefined
  const passedOn: AsyncIterableIterator<{ count: number }> = {
    next() {
      firstRequest.now()
      return new Promise(resolve => (end = () => resolve({ done: true, value: undefined })))
    },
    return() {
      isEnded = true
      end()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  await serving({ count: aToy(async () => passedOn, row) })
  const events = eventsOf(await ask(setup.caller, 'count'))
  const next = events.next().catch(() => undefined)
  await firstRequest.come
  await events.return?.()
  await eventually(() => expect(isEnded).toBe(true))
  await next
})

it('a stream ends at its deadline', async () => {
  let reason: AbortSignal | undefined
  async function* stalling({ signal }: RequestMeta) {
    reason = signal
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    yield { count: 1 }
  }
  await serving({ count: aToy(async (_input, meta) => stalling(meta), row) })
  const reply = await ask(setup.caller, 'count', { timeout: 500 })
  expect(await failureOf(read(eventsOf(reply)))).toMatchObject({ code: 'timeout' })
  await eventually(() => expect(reason?.aborted).toBe(true))
})
