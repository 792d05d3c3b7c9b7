import { currentOrigin, Failure, operations, type Origin } from '@recto/operation'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { busClient, headerJson } from './index.ts'
import { aBus, askJson, aToy, failureOf, serveToys } from './test/toy.ts'

const Thing = z.object({ id: z.string(), title: z.string() })
const rows = operations({
  getThing: {
    route: 'GET /things/{thingId}',
    summary: 'Get a thing',
    query: z.object({ title: z.string().default('none') }),
    reply: Thing,
    errors: ['not_found'],
  },
  createThing: {
    route: 'POST /things',
    summary: 'Create a thing',
    body: z.object({ title: z.string() }),
    reply: Thing,
    creates: 'resource',
  },
  deleteThing: { route: 'DELETE /things/{thingId}', summary: 'Delete a thing', reply: z.undefined(), status: 204 },
})

let setup: Awaited<ReturnType<typeof aBus>>
let server: { stop(): Promise<void> }

beforeAll(async () => {
  setup = await aBus()
  server = serveToys(setup.toys, {
    getThing: {
      ...rows.getThing,
      answer: async ({ params, query }, { actor }) => {
        if (params.thingId === 'gone') throw new Failure('not_found', 'There is no such thing')
        return { id: `${params.thingId} of ${actor?.userId}`, title: (query as { title: string }).title }
      },
    },
    createThing: {
      ...rows.createThing,
      answer: async ({ body }) => ({ id: 'new', title: (body as { title: string }).title }),
    },
    deleteThing: { ...rows.deleteThing, answer: async () => undefined },
  })
  await setup.toys.connection.flush()
})
afterAll(async () => {
  await server.stop()
  await setup.stop()
})

const client = () => busClient(setup.caller, rows, { service: 'toys', prefix: 'api', actor: { userId: 'Ada' } })

it('a client has a method for each row', async () => {
  expect(await client().getThing({ params: { thingId: 'a' } })).toEqual({ id: 'a of Ada', title: 'none' })
  expect(await client().getThing({ params: { thingId: 'a/b ü' }, query: { title: '😀' } })).toEqual({
    id: 'a/b ü of Ada',
    title: '😀',
  })
  expect(await client().createThing({ body: { title: 'ä' } })).toEqual({ id: 'new', title: 'ä' })
  expect(await client().deleteThing({ params: { thingId: 'a' } })).toBeUndefined()
})

it('a client throws the failure of the service', async () => {
  const failure = await failureOf(client().getThing({ params: { thingId: 'gone' } }))
  expect(failure).toMatchObject({ code: 'not_found', message: 'There is no such thing', status: 404 })
})

it('passes on who caused a request, also to what its handler asks of other services', async () => {
  const origins: (Origin | undefined)[] = []
  const remember = aToy(async () => {
    origins.push(currentOrigin())
    return {}
  })
  const ask = busClient(setup.toys, { remember: operations({ remember }).remember }, { service: 'toys', prefix: 'api' })
  const relay = { ...aToy(() => ask.remember({})), route: 'POST /relay' as const }
  const read = { ...remember, route: 'GET /read' as const }
  const relaying = serveToys(setup.toys, { remember, relay, read })
  await setup.toys.connection.flush()
  const actor = headerJson({ userId: 'ann', scopes: [] })
  await askJson(setup.caller, 'relay', { actor })
  await askJson(setup.caller, 'relay', { actor, origin: headerJson({ requestId: 'r1', client: { token: 't' } }) })
  await askJson(setup.caller, 'read', { actor })
  await relaying.stop()
  expect(origins).toEqual([
    { actor: { kind: 'user', id: 'ann' }, operationId: 'relay', requestId: expect.any(String) },
    { requestId: 'r1', client: { token: 't' } },
    undefined,
  ])
})
