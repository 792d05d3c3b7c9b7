import { busClient, connectBus, type Bus } from '@recto/bus'
import { migrate, query, type Db } from '@recto/database'
import { operations } from '@recto/operation'
import { aDatabase, aNatsServer, eventually, type TestDatabase, type TestNats } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { DatabaseService, RunningService, ServiceContext } from './index.ts'
import { notesAt, startToy } from './test/notes.ts'

const rows = operations({
  look: { route: 'GET /look', summary: 'Look', reply: z.object({ user: z.string(), one: z.number() }) },
  wait: { route: 'POST /wait', summary: 'Wait', reply: z.object({ one: z.number() }) },
})
const actor = { userId: 'ada', scopes: [] }

let nats: TestNats
let caller: Bus
let migrated: TestDatabase
let empty: TestDatabase

beforeAll(async () => {
  nats = await aNatsServer()
  caller = await connectBus({ url: nats.url, service: 'caller' })
  migrated = await aDatabase({ template: 'notes', migrate: async url => void (await migrate(notesAt(url))) })
  empty = await aDatabase({ template: 'empty', migrate: async () => undefined })
})
afterAll(async () => {
  await caller.drain()
  await Promise.all([migrated.drop(), empty.drop()])
  await nats.stop()
})

const client = () => busClient(caller, rows, { service: 'looker', prefix: 'api', actor })
const one = async (db: Db) => (await query<{ one: number }>(db, 'select 1 as one'))[0]?.one ?? 0

interface Looker {
  url?: string
  check?: () => Promise<true | string>
  wait?: () => Promise<void>
  build?: DatabaseService<ServiceContext>['build']
}
async function aLooker({
  url = migrated.url,
  wait = async () => undefined,
  ...more
}: Looker = {}): Promise<RunningService> {
  const handlers = {
    look: async (_input: never, { db, actor: who }: ServiceContext) => ({
      user: who?.userId ?? '',
      one: await one(db),
    }),
    wait: async (_input: never, { db }: ServiceContext) => {
      await wait()
      return { one: await one(db) }
    },
  }
  const service = await startToy(
    { natsUrl: nats.url, url },
    { name: 'looker', api: { operations: rows, handlers }, ...more },
  )
  await service.bus.connection.flush()
  return service
}

async function connectionsOf(database: TestDatabase): Promise<unknown[]> {
  const other = await startToy({ natsUrl: nats.url, url: empty.url }, { name: 'other' })
  try {
    return await query(other.db, 'select pid from pg_stat_activity where datname = $1', [
      new URL(database.url).pathname.slice(1),
    ])
  } finally {
    await other.stop()
  }
}

it('a service responds with its database and the actor, and is ready', async () => {
  const service = await aLooker()
  expect(await client().look()).toEqual({ user: 'ada', one: 1 })
  expect(await service.ready()).toBe(true)
  await service.stop()
})

it('a service with pending migrations reports it, and accepts no request until they have run', async () => {
  const { url, drop } = await aDatabase({ template: 'empty', migrate: async () => undefined })
  const service = await aLooker({ url })
  expect(await service.ready()).toBe('the database has not been migrated to this version')
  await expect(client().look()).rejects.toMatchObject({ code: 'unavailable' })
  await migrate(notesAt(url))
  expect(await service.ready()).toBe(true)
  await eventually(async () => expect(await client().look()).toEqual({ user: 'ada', one: 1 }))
  await service.stop()
  await drop()
})

it('a service is ready only when its other dependencies are', async () => {
  let state: true | string = 'the cupboard is empty'
  const service = await aLooker({ check: async () => state })
  expect(await service.ready()).toBe('the cupboard is empty')
  state = true
  expect(await service.ready()).toBe(true)
  await service.stop()
})

it('a service that has stopped is not ready', async () => {
  const service = await aLooker()
  await service.stop()
  expect(await service.ready()).toBe('the bus is closed')
})

it('a service that stops ends what requests wait for, finishes them, stops its parts, and then closes bus and database', async () => {
  const order: string[] = []
  let enough = (): void => undefined
  const wait = () =>
    new Promise<void>(resolve => {
      order.push('asked')
      enough = resolve
    })
  const build: Looker['build'] = ({ bus, db }) => ({
    context: base => base,
    endWaits: async () => void order.push('waits ended'),
    stop: async () => {
      expect([bus.connection.isClosed(), await one(db)]).toEqual([false, 1])
      order.push('parts stopped')
    },
  })
  const service = await aLooker({ wait, build })
  const answered = client()
    .wait()
    .then(reply => order.push(`answered ${reply.one}`))
  await eventually(() => expect(order).toEqual(['asked']))
  const stopped = service.stop().then(() => order.push('stopped'))
  await eventually(() => expect(client().look()).rejects.toMatchObject({ code: 'unavailable' }))
  expect(order).toEqual(['asked', 'waits ended'])
  enough()
  await Promise.all([answered, stopped])
  expect(order.filter(entry => !entry.startsWith('answered'))).toEqual([
    'asked',
    'waits ended',
    'parts stopped',
    'stopped',
  ])
  expect(order).toContain('answered 1')
  expect(service.bus.connection.isClosed()).toBe(true)
  await expect(one(service.db)).rejects.toThrow()
})

it('a service whose parts cannot be built leaves no connection open', async () => {
  const before = (await connectionsOf(migrated)).length
  await expect(aLooker({ build: () => Promise.reject(new Error('no work today')) })).rejects.toThrow('no work today')
  expect(await connectionsOf(migrated)).toHaveLength(before)
  await expect(client().look()).rejects.toMatchObject({ code: 'unavailable' })
})
