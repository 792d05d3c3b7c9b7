import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@recto/embedded'
import { eventually, freePort } from '@recto/testing'
import { afterAll, beforeAll, expect, inject, it } from '@jest/globals'
import { migrate, openDatabase, poolState, query, startRelay, tell } from './index.ts'
import { aLog, thingsAt } from './test/things.ts'

let postgres: Postgres
let start: () => Promise<Postgres>

beforeAll(async () => {
  const options = { dataDir: await mkdtemp(join(inject('runFolder'), 'restart-')), password: 'a-password', port: await freePort(), durable: false }
  start = () => startPostgres(options)
  postgres = await start()
})
afterAll(() => postgres.stop())

it('a relay and a pool survive that the server is restarted', async () => {
  await migrate(thingsAt(postgres.url))
  const database = await openDatabase(thingsAt(postgres.url))
  const told: string[] = []
  const relay = startRelay({ database, url: postgres.url, publish: async ({ id }) => void told.push(id), log: aLog(), every: 200, again: 60 })
  const say = (id: string) => tell(database.manager, { id, subject: 'events.things.thing.made', payload: {}, consumers: ['readers'] })
  await say('before')
  await eventually(() => expect(told).toEqual(['before']))

  await postgres.stop()
  await expect(say('while it is away')).rejects.toThrow()
  postgres = await start()

  await eventually(() => say('after'))
  await eventually(() => expect(told).toEqual(['before', 'after']))
  await eventually(async () => expect(await query(database.manager, `select 1 from pg_stat_activity where query = 'listen outbox'`)).toHaveLength(1))
  expect(poolState(database).waiting).toBe(0)
  await relay.stop()
  await database.destroy()
})
