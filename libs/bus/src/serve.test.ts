import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@recto/operation'
import { currentContext, currentTraceId, runInContext } from '@recto/telemetry'
import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { headerJson, requestReply } from './index.ts'
import { aBus, aMoment, ask, askJson, aToy, codes, connectAs, failureOf, serveToys, type Toys } from './test/toy.ts'

let setup: Awaited<ReturnType<typeof aBus>>
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => (setup = await aBus({ maxPayload: 64 * 1024 })))
afterEach(async () => void (await Promise.all(running.splice(0).map(server => server.stop()))))
afterAll(() => setup.stop())

async function serving(toys: Toys, more?: Parameters<typeof serveToys>[2]) {
  const server = serveToys(setup.toys, toys, more)
  running.push(server)
  await setup.toys.connection.flush()
  return server
}

function failing(code: (typeof codes)[number]) {
  return aToy(
    async () => {
      throw new Failure(code, `Grüße: ${code}`, { details: [{ path: 'body.a', message: 'is wrong' }], retryAfter: 7 })
    },
    { errors: codes },
  )
}

describe('a call', () => {
  it('is handled by one member of the queue group', async () => {
    const second = await connectAs(setup.nats, 'toys')
    const answered: string[] = []
    const toysOf = (name: string) => ({ once: aToy(async () => (answered.push(name), {})) })
    await serving(toysOf('first'))
    const other = serveToys(second, toysOf('second'))
    await second.connection.flush()
    for (let count = 0; count < 40; count += 1) await ask(setup.caller, 'once')
    expect(answered).toHaveLength(40)
    expect(new Set(answered)).toEqual(new Set(['first', 'second']))
    await other.stop()
    await second.drain()
  })

  it.each([
    ['a routed row', { route: 'GET /toys' } as const, 'unauthenticated'],
    ['a routed row that is public', { route: 'GET /toys', access: { public: true } } as const, undefined],
    ['a row without route', {}, undefined],
  ])('without an actor to %s is refused if the row requires an actor', async (_kind, row, code) => {
    const handled: string[] = []
    await serving({ get: aToy(async () => (handled.push('get'), {}), row) })
    const outcome = await ask(setup.caller, 'get').then(
      () => undefined,
      (failure: Failure) => failure.code,
    )
    expect({ outcome, handled }).toEqual({ outcome: code, handled: code ? [] : ['get'] })
  })

  it('is answered after the work that its handler registered before the reply, and fails if that fails', async () => {
    const done: string[] = []
    const hold = (work: () => Promise<void>) =>
      aToy(async (_input, { beforeReply }) => (beforeReply(sleep(100).then(work)), {}))
    await serving({
      held: hold(async () => void done.push('work')),
      broken: hold(async () => {
        throw new Failure('unavailable', 'no')
      }),
    })
    await ask(setup.caller, 'held')
    expect(done).toEqual(['work'])
    expect(await failureOf(ask(setup.caller, 'broken'))).toMatchObject({ code: 'unavailable' })
  })

  it.each(codes)('that fails as %s returns the message, the details and the retry delay', async code => {
    await serving({ fail: failing(code) })
    const failure = await failureOf(ask(setup.caller, 'fail'))
    expect(failure).toMatchObject({
      code,
      message: `Grüße: ${code}`,
      details: [{ path: 'body.a', message: 'is wrong' }],
      retryAfter: 7,
    })
  })

  it('that fails with an undeclared code fails as internal when declarations are checked', async () => {
    const { log } = await serving({
      fail: aToy(async () => {
        throw new Failure('conflict', 'no')
      }),
    })
    expect(await failureOf(ask(setup.caller, 'fail'))).toMatchObject({
      code: 'internal',
      message: 'fail does not declare conflict',
    })
    expect(log.lines.map(line => line.message)).toContain('failure conflict is not declared by the row')
  })

  it('that fails with an undeclared code returns it in production, and logs it', async () => {
    const { log } = await serving(
      {
        fail: aToy(async () => {
          throw new Failure('conflict', 'no')
        }),
      },
      { strict: false },
    )
    expect(await failureOf(ask(setup.caller, 'fail'))).toMatchObject({ code: 'conflict', message: 'no' })
    expect(log.lines).toMatchObject([{ level: 'error' }])
  })

  it.each([new Error('the password is hunter2'), 'hunter2', undefined, { message: 'hunter2' }])(
    'hides %s that was thrown and logs it once',
    async thrown => {
      const { log } = await serving({
        fail: aToy(async () => {
          throw thrown
        }),
      })
      const failure = await failureOf(ask(setup.caller, 'fail'))
      expect(failure).toMatchObject({
        code: 'internal',
        message: 'Something went wrong on our side',
        details: undefined,
      })
      expect(log.lines).toHaveLength(1)
      expect(log.lines[0]).toMatchObject({ level: 'error', details: { operation: 'fail' } })
      if (thrown instanceof Error) expect(log.lines[0]?.details.err).toBe(thrown)
    },
  )

  it('that lacks a dependency fails as unavailable, and the log warns of the reason', async () => {
    const cause = new Error('connect ECONNREFUSED')
    const { log } = await serving({
      fail: aToy(async () => {
        throw new Failure('unavailable', 'The database is not available', { cause })
      }),
    })
    expect(await failureOf(ask(setup.caller, 'fail'))).toMatchObject({
      code: 'unavailable',
      message: 'The database is not available',
    })
    expect(log.lines).toMatchObject([{ level: 'warn', details: { err: cause, operation: 'fail' } }])
  })

  it('does not wait for other calls', async () => {
    const all = aMoment()
    let inside = 0
    await serving({
      meet: aToy(async () => {
        inside += 1
        if (inside === 5) all.now()
        await all.come
        return {}
      }),
    })
    await Promise.all(Array.from({ length: 5 }, () => ask(setup.caller, 'meet')))
    expect(inside).toBe(5)
  })

  it('is refused as unavailable over the limit of concurrent calls', async () => {
    const enough = aMoment()
    await serving({ wait: aToy(async () => (await enough.come, {})) }, { concurrency: 2 })
    const waiting = [ask(setup.caller, 'wait'), ask(setup.caller, 'wait')]
    expect(await failureOf(ask(setup.caller, 'wait'))).toMatchObject({ code: 'unavailable', retryAfter: 1 })
    enough.now()
    expect((await Promise.all(waiting)).map(reply => reply.status)).toEqual([200, 200])
  })

  it('whose deadline has passed reaches no handler', async () => {
    const handled: string[] = []
    await serving({ note: aToy(async ({ params }) => (handled.push(params.name ?? ''), {})) })
    const late = requestReply(setup.caller, {
      subject: 'api.toys.note',
      params: headerJson({ params: { name: 'late' }, query: {} }),
      timeout: -1_000,
    })
    expect((await failureOf(late)).code).toBe('timeout')
    await ask(setup.caller, 'note', { params: headerJson({ params: { name: 'in time' }, query: {} }) })
    expect(handled).toEqual(['in time'])
  })

  it('that takes longer than its deadline fails as timeout', async () => {
    const enough = aMoment()
    await serving({ wait: aToy(async () => (await enough.come, {})) })
    expect((await failureOf(ask(setup.caller, 'wait', { timeout: 50 }))).code).toBe('timeout')
    enough.now()
  })

  it('without a responder fails as unavailable with a retry delay', async () => {
    const failure = await failureOf(ask(setup.caller, 'nobody', { timeout: 60_000 }))
    expect(failure).toMatchObject({ code: 'unavailable', message: 'The toys service is not available', retryAfter: 1 })
  })

  it('without a responder is retried once when it reads, and never when it writes', async () => {
    const reading = ask(setup.caller, 'late', { retry: true })
    const writing = failureOf(ask(setup.caller, 'late'))
    expect((await writing).code).toBe('unavailable')
    await serving({ late: aToy(async () => ({ here: true })) })
    expect((await reading).status).toBe(200)
  })

  it('that exceeds the maximum message size fails as too_large', async () => {
    await serving({ take: aToy(async () => ({})) })
    expect((await failureOf(ask(setup.caller, 'take', { body: new Uint8Array(65 * 1024) }))).code).toBe('too_large')
    expect((await ask(setup.caller, 'take')).status).toBe(200)
  })
})

describe('the data sent over the bus', () => {
  it('includes the actor, the request id and the trace of the caller', async () => {
    const actor = { userId: 'Zoë', scopes: ['read'] }
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await serving({
      who: aToy(async (_input, meta) => ({
        actor: meta.actor,
        id: meta.requestId,
        context: currentContext()?.requestId,
        trace: currentTraceId(),
      })),
    })
    const reply = await runInContext(
      { requestId: 'an-id' },
      () => askJson(setup.caller, 'who', { actor: headerJson(actor) }),
      { traceparent },
    )
    expect(reply).toEqual({ actor, id: 'an-id', context: 'an-id', trace: '4bf92f3577b34da6a3ce929d0e0e4736' })
  })

  it('has no actor and a new request id when the caller has none', async () => {
    await serving({ who: aToy(async (_input, meta) => ({ anonymous: meta.actor === undefined, id: meta.requestId })) })
    expect(await askJson(setup.caller, 'who')).toEqual({ anonymous: true, id: expect.stringMatching(/^[\da-f-]{36}$/) })
  })

  it('preserves every character of parameters, query and body', async () => {
    const text = 'ä 😀 \u2028 "\\ \r\n\t \u007f 漢字 %2F'
    await serving({
      echo: aToy(async input => ({ ...input }), {
        query: z.object({ q: z.string() }),
        body: z.object({ text: z.string() }),
      }),
    })
    const params = headerJson({ params: { name: text }, query: { q: text } })
    const reply = await askJson(setup.caller, 'echo', { params, body: Buffer.from(JSON.stringify({ text })) })
    expect(reply).toEqual({ params: { name: text }, query: { q: text }, body: { text } })
  })

  it('omits fields that the row does not declare', async () => {
    await serving({
      get: aToy(async () => ({ id: 'a', secret: 'hunter2', inner: { id: 'b', secret: 'hunter2' } }), {
        reply: z.object({ id: z.string(), inner: z.object({ id: z.string() }) }),
      }),
    })
    expect(await askJson(setup.caller, 'get')).toEqual({ id: 'a', inner: { id: 'b' } })
  })

  it('contains nothing of a reply that violates its schema', async () => {
    const { log } = await serving({
      get: aToy(async () => ({ id: 5, secret: 'hunter2' }), { reply: z.object({ id: z.string() }) }),
    })
    const failure = await failureOf(ask(setup.caller, 'get'))
    expect(failure).toMatchObject({ code: 'internal', message: 'Something went wrong on our side' })
    expect(log.lines).toHaveLength(1)
  })

  it('includes the status and location of a created resource, and no body with 204', async () => {
    const location = 'http://recto.test/v1/things/a'
    const reply = z.object({ urls: z.object({ location: z.string() }) })
    await serving({
      create: aToy(async () => ({ urls: { location } }), { creates: 'resource', reply }),
      remove: aToy(async () => undefined, { status: 204, reply: z.undefined() }),
      move: aToy(async (_input, meta) => (meta.setLocation('http://recto.test/elsewhere'), {})),
    })
    expect(await ask(setup.caller, 'create')).toMatchObject({ status: 201, location: 'http://recto.test/v1/things/a' })
    expect(await ask(setup.caller, 'remove')).toMatchObject({ status: 204, size: 0 })
    expect(await ask(setup.caller, 'move')).toMatchObject({ status: 200, location: 'http://recto.test/elsewhere' })
  })

  it('has the status 201 of a row that may create when the handler says that it did', async () => {
    const reply = z.object({ urls: z.object({ location: z.string() }) })
    const urls = { location: 'http://recto.test/v1/things/a' }
    const created = { isNew: true }
    const put = async (_input: unknown, meta: { setCreated(): void }) => {
      if (created.isNew) meta.setCreated()
      return { urls }
    }
    await serving({ put: aToy(put, { creates: 'ifAbsent', reply }), update: aToy(put, { reply }) })
    expect(await ask(setup.caller, 'put')).toMatchObject({ status: 201, location: urls.location })
    expect(await ask(setup.caller, 'update')).toMatchObject({ status: 200 })
    created.isNew = false
    const again = await ask(setup.caller, 'put')
    expect([again.status, again.location]).toEqual([200, undefined])
  })
})
describe('a service that stops', () => {
  it('finishes the calls in flight, including accepted ones', async () => {
    const enough = aMoment()
    let accepted = 0
    const server = serveToys(setup.toys, { wait: aToy(async () => (accepted++, await enough.come, { done: true })) })
    await setup.toys.connection.flush()
    const replies = Array.from({ length: 20 }, () => ask(setup.caller, 'wait'))
    await setup.caller.connection.flush()
    const stopped = server.stop()
    await eventually(() => expect(accepted).toBe(20))
    enough.now()
    expect((await Promise.all(replies)).map(reply => reply.status)).toEqual(Array(20).fill(200))
    await stopped
    expect((await failureOf(ask(setup.caller, 'wait'))).code).toBe('unavailable')
  })

  it('leaves the work to its other replicas without losing a request', async () => {
    const second = await connectAs(setup.nats, 'toys')
    const toys = { add: aToy(async () => ({})) }
    const servers = [serveToys(setup.toys, toys), serveToys(second, toys)]
    await Promise.all([setup.toys.connection.flush(), second.connection.flush()])
    const asking = Array.from({ length: 300 }, async (_, turn) => {
      await new Promise(resolve => setTimeout(resolve, turn))
      if (turn === 100) await servers[0]?.stop()
      return (await ask(setup.caller, 'add')).status
    })
    expect(new Set(await Promise.all(asking))).toEqual(new Set([200]))
    await servers[1]?.stop()
    await second.drain()
  })
})
