import { busClient, connectBus, requestReply, wholeBody, type Bus, type BusRequest } from '@recto/bus'
import { migrate, query } from '@recto/database'
import { Failure, operations } from '@recto/operation'
import { aDatabase, aNatsServer, type TestDatabase, type TestNats } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { RunningService, ServiceContext } from './index.ts'
import { notesAt, startToy } from './test/notes.ts'

const rows = operations({
  createNote: {
    route: 'POST /notes',
    summary: 'Create a note',
    body: z.object({ id: z.string(), fail: z.boolean().default(false) }),
    reply: z.object({ id: z.string(), number: z.number(), urls: z.object({ location: z.string() }) }),
    creates: 'resource',
  },
  countNotes: { route: 'GET /notes', summary: 'Count the notes', reply: z.object({ count: z.number() }) },
})
const actor = { userId: 'ada', scopes: [] }

let nats: TestNats
let database: TestDatabase
let caller: Bus
let service: RunningService

beforeAll(async () => {
  nats = await aNatsServer()
  caller = await connectBus({ url: nats.url, service: 'caller' })
  database = await aDatabase({ template: 'notes', migrate: async url => void (await migrate(notesAt(url))) })
  const handlers = {
    async createNote({ body }: { body: { id: string; fail: boolean } }, { transaction, db }: ServiceContext) {
      await transaction(async tx => {
        await query(tx, 'insert into note (id) values ($1)', [body.id])
        if (body.fail) throw new Failure('conflict', 'It fails')
      })
      return { id: body.id, number: await countNotes(db), urls: { location: `/notes/${body.id}` } }
    },
    countNotes: async (_input: never, { db }: ServiceContext) => ({ count: await countNotes(db) }),
  }
  const api = { operations: rows, handlers }
  service = await startToy({ natsUrl: nats.url, url: database.url }, { name: 'notes', api })
  await service.bus.connection.flush()
})
afterAll(async () => {
  await service.stop()
  await caller.drain()
  await database.drop()
  await nats.stop()
})

async function countNotes(db: ServiceContext['db']): Promise<number> {
  const [row] = await query<{ count: number }>(db, 'select count(*)::int as count from note')
  return row?.count ?? 0
}

const client = () => busClient(caller, rows, { service: 'notes', prefix: 'api', actor })
const create = async (idempotencyKey: string, body: { id: string; fail?: boolean }) => {
  const request: BusRequest = {
    subject: 'api.notes.createNote',
    actor: JSON.stringify(actor),
    body: Buffer.from(JSON.stringify(body)),
    conditions: { idempotencyKey },
    timeout: 5_000,
  }
  const reply = await requestReply(caller, request)
  return { ...reply, body: Buffer.from(await wholeBody(reply)).toString() }
}

it('a repeated request with its key gets the same reply, with its headers, and creates nothing', async () => {
  const first = await create('one', { id: 'a' })
  expect(first).toMatchObject({ status: 201, location: '/notes/a' })
  await client().createNote({ body: { id: 'b' } })
  expect(await create('one', { id: 'a' })).toEqual(first)
  expect(await client().countNotes()).toEqual({ count: 2 })
})

it('many requests with one key at once create one thing', async () => {
  const before = await client().countNotes()
  const replies = await Promise.all(Array.from({ length: 10 }, () => create('many', { id: 'c' })))
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
  expect(await client().countNotes()).toEqual({ count: before.count + 1 })
})

it('the key with another body is a conflict that the row need not declare', async () => {
  await create('two', { id: 'd' })
  await expect(create('two', { id: 'e' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The Idempotency-Key was used for another request',
  })
})

it('a request that failed can be repeated with its key', async () => {
  await expect(create('three', { id: 'f', fail: true })).rejects.toMatchObject({ message: 'It fails' })
  expect(await create('three', { id: 'f' })).toMatchObject({ status: 201 })
})
