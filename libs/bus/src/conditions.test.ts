import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Failure } from '@recto/operation'
import { ifMatchTags, noneMatchNames } from './conditions.ts'
import type { BusRequest, RunOnce } from './index.ts'
import { aBus, aToy, ask, askJson, failureOf, serveToys, type Toys } from './test/toy.ts'

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    [' * ', true],
    ['"b"', false],
    ['a', false],
    ['"a', false],
    ['"aa"', false],
    ['', false],
  ])('%s names "a": %s', (condition, names) => expect(noneMatchNames(condition, '"a"')).toBe(names))
})

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"a"', ['a']],
    ['"a", "b"', ['a', 'b']],
    ['W/"a"', ['a']],
  ])('%s names %j', (condition, tags) => expect(ifMatchTags(condition)).toEqual(tags))

  it('without an entity tag is refused', () =>
    expect(() => ifMatchTags('a')).toThrow(expect.objectContaining({ code: 'invalid_request' })))
})

describe('a handler', () => {
  let setup: Awaited<ReturnType<typeof aBus>>
  const running: { stop(): Promise<void> }[] = []
  beforeAll(async () => (setup = await aBus()))
  afterEach(async () => void (await Promise.all(running.splice(0).map(server => server.stop()))))
  afterAll(() => setup.stop())

  async function serving(toys: Toys, once?: RunOnce): Promise<void> {
    running.push(serveToys(setup.toys, toys, once && { once }))
    await setup.toys.connection.flush()
  }
  const conditional = (conditions: BusRequest['conditions']): Partial<BusRequest> => ({ conditions })
  const byAda = (conditions: BusRequest['conditions']) => ({ actor: '{"userId":"ada","scopes":[]}', conditions })

  it('that sets an ETag ends there when the client has it', async () => {
    const done: string[] = []
    await serving({
      get: aToy(async (_input, meta) => (meta.setETag('1'), done.push('work'), { a: 1 }), {
        route: 'GET /toys',
        access: { public: true },
      }),
    })
    expect(await ask(setup.caller, 'get')).toMatchObject({ status: 200, etag: '"1"' })
    expect(await ask(setup.caller, 'get', conditional({ ifNoneMatch: '"0"' }))).toMatchObject({ status: 200 })
    expect(done.splice(0)).toHaveLength(2)
    const unchanged = await ask(setup.caller, 'get', conditional({ ifNoneMatch: '"1"' }))
    expect(unchanged).toMatchObject({ status: 304, etag: '"1"', size: 0 })
    expect(done).toEqual([])
  })

  it('receives If-Match, and its failure carries the current ETag', async () => {
    const put = aToy(async (_input, meta) => ({ tags: meta.ifMatch() }))
    const failing = aToy(
      async () => {
        throw new Failure('precondition_failed', 'It has changed', { etag: '"2"' })
      },
      { errors: ['precondition_failed'] },
    )
    await serving({ put, failing })
    expect(await askJson(setup.caller, 'put', conditional({ ifMatch: '"1"' }))).toEqual({ tags: ['1'] })
    expect(await askJson(setup.caller, 'put')).toEqual({})
    expect(await failureOf(ask(setup.caller, 'put', conditional({ ifMatch: '1' })))).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'headers.If-Match' }],
    })
    expect(await failureOf(ask(setup.caller, 'failing'))).toMatchObject({ code: 'precondition_failed', etag: '"2"' })
  })

  it('of a row that creates is run by what keeps keys, for a request with Idempotency-Key', async () => {
    const seen: unknown[] = []
    const once: RunOnce = async ({ deadline: _deadline, ...request }, run) => (seen.push(request), run('attempt 1'))
    const create = aToy(async (_input, { attempt }) => ({ attempt }), { creates: 'resource', route: 'POST /toys' })
    const change = aToy(async (_input, { attempt }) => ({ attempt }), { route: 'PUT /toys' })
    await serving({ create, change }, once)
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(await askJson(setup.caller, 'create', byAda({ idempotencyKey: 'k' }))).toEqual({ attempt: 'attempt 1' })
    expect(seen.splice(0)).toEqual([{ operationId: 'create', userId: 'ada', key: 'k', fingerprint }])
    expect(await askJson(setup.caller, 'create', byAda({}))).toEqual({})
    expect(await askJson(setup.caller, 'change', byAda({ idempotencyKey: 'k' }))).toEqual({})
    expect(seen).toEqual([])
  })

  it.each([
    ['with a space', 'two words'],
    ['of 256 characters', 'x'.repeat(256)],
  ])('of a row that creates refuses a key %s', async (_what, key) => {
    const create = aToy(async () => ({}), { creates: 'resource', route: 'POST /toys' })
    await serving({ create }, async (_request, run) => run('attempt'))
    expect(await failureOf(ask(setup.caller, 'create', byAda({ idempotencyKey: key })))).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'headers.Idempotency-Key' }],
    })
  })
})
