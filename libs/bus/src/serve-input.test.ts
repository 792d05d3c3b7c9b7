import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { headerJson } from './index.ts'
import { aBus, ask, askJson, aToy, failureOf, serveToys, type Toys } from './test/toy.ts'

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

describe('bad input', () => {
  const row = {
    query: z.object({ limit: z.coerce.number().max(10) }),
    body: z.object({ title: z.string(), tags: z.array(z.string()) }),
  }

  it('is refused with every fault and its path', async () => {
    await serving({ put: aToy(async () => ({}), row) })
    const request = {
      params: headerJson({ params: {}, query: { limit: '11' } }),
      body: Buffer.from('{"tags": ["a", 1]}'),
    }
    const failure = await failureOf(ask(setup.caller, 'put', request))
    expect(failure.code).toBe('invalid_request')
    expect(failure.details?.map(fault => fault.path)).toEqual(['query.limit', 'body.title', 'body.tags.1'])
    expect(failure.message).toBe('query.limit: must be at most 10 (and 2 more)')
  })

  it('is refused with every fault, even when the faults exceed the maximum message size', async () => {
    await serving({ put: aToy(async () => ({}), row) })
    const body = Buffer.from(JSON.stringify({ title: 'a', tags: Array.from({ length: 3_000 }, (_, index) => index) }))
    const failure = await failureOf(
      ask(setup.caller, 'put', { params: headerJson({ params: {}, query: { limit: '1' } }), body }),
    )
    expect(failure.details).toHaveLength(3_000)
  })

  it.each([
    ['{', 'is not JSON'],
    ['\xff\xfe', 'is not JSON'],
  ])('is a body %j that is not JSON', async (text, message) => {
    await serving({ put: aToy(async () => ({}), { body: row.body }) })
    const failure = await failureOf(ask(setup.caller, 'put', { body: Buffer.from(text, 'latin1') }))
    expect(failure).toMatchObject({ code: 'invalid_request', details: [{ path: 'body', message }] })
  })

  it('is a missing body, unless the row has an optional one', async () => {
    await serving({
      put: aToy(async () => ({}), { body: z.object({}) }),
      may: aToy(async ({ body }) => ({ body }), { body: z.object({}), request: { optionalBody: true } }),
    })
    expect(await failureOf(ask(setup.caller, 'put'))).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body' }],
    })
    expect(await askJson(setup.caller, 'may')).toEqual({ body: {} })
  })
})
