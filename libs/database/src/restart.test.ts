import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { startPostgres, type Postgres } from '@recto/embedded'
import { eventually, freePort, provided } from '@recto/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  migrate,
  openDatabase,
  poolState,
  prepared,
  query,
  startListening,
  startRelay,
  type DataSource,
} from './index.ts'
import { enqueue } from './outbox.ts'
import { aLog, thingsAt } from './test/things.ts'

let postgres: Postgres
let start: () => Promise<Postgres>
let database: DataSource

beforeEach(async () => {
  const options = {
    dataDir: await mkdtemp(join(provided('runFolder'), 'restart-')),
    password: 'a-password',
    port: await freePort(),
  }
  start = () => startPostgres(options)
  postgres = await start()
  await migrate(thingsAt(postgres.url))
  database = await openDatabase(thingsAt(postgres.url))
})
afterEach(async () => {
  await database.destroy()
  await postgres.stop()
})

const said = (id: string) => ({ id, subject: 'events.things.thing.made', payload: {}, consumers: ['readers'] })

it('a relay and a pool survive a restart of the server', async () => {
  const told: string[] = []
  const listening = startListening({ url: postgres.url, log: aLog() })
  const relay = startRelay({
    database,
    listening,
    publish: async ({ id }) => void told.push(id),
    log: aLog(),
    every: 200,
    redeliverAfter: 60,
  })
  const say = (id: string) => enqueue(database.manager, said(id))
  await say('before')
  await eventually(() => expect(told).toEqual(['before']))

  await postgres.stop()
  await expect(say('while it is away')).rejects.toMatchObject({ code: 'unavailable' })
  postgres = await start()

  await eventually(() => say('after'))
  await eventually(() => expect(told).toEqual(['before', 'after']))
  await eventually(async () =>
    expect(await query(database.manager, `select 1 from pg_stat_activity where query = 'listen records'`)).toHaveLength(
      1,
    ),
  )
  expect(poolState(database).waiting).toBe(0)
  await listening.stop()
  await relay.stop()
})

const titles = prepared<{ title: string }>('titles', 'select title from thing')
const work: Record<string, (id: string) => Promise<unknown>> = {
  read: () => query(database.manager, 'select title from thing'),
  prepared: () => titles(database.manager, []),
  entity: () => database.manager.countBy('Outbox', {}),
  write: id => enqueue(database.manager, said(id)),
  transaction: id =>
    database.transaction(async db => {
      await query(db, 'insert into thing (id, title) values ($1, $1)', [id])
      await enqueue(db, said(id))
    }),
}

/** Runs transactions continuously until stopped; returns the outcome of each, and the ids of the committed ones. */
function working() {
  const outcomes = new Map<string, number>()
  const done: string[] = []
  let isOver = false
  const loops = Object.entries(work).map(async ([name, act]) => {
    for (let at = 0; !isOver; at += 1) {
      const id = `${name} ${at}`
      const outcome = await act(id).then(
        () => 'done',
        (error: { code?: string; retryAfter?: number }) => `${error.code} ${error.retryAfter} ${String(error)}`,
      )
      if (outcome === 'done') done.push(id)
      await setImmediate()
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  })
  const stop = async () => {
    isOver = true
    await Promise.all(loops)
  }
  return { outcomes, done, stop }
}

describe('continuous work', () => {
  const unavailable = 'unavailable 1 Failure: The database is not available'
  const ways: [string, () => Promise<unknown>][] = [
    ['is stopped', () => postgres.stop()],
    [
      'is killed',
      async () => {
        process.kill(postgres.pid, 'SIGKILL')
        await postgres.exited
      },
    ],
  ]
  it.each(ways)(
    'while the server %s and restarted succeeds or is unavailable, and committed data is kept',
    async (_how, end) => {
      const { outcomes, done, stop } = working()
      try {
        await eventually(() => expect(outcomes.get('done')).toBeGreaterThan(50))
        await end()
        const atEnd = [...outcomes.values()].reduce((sum, count) => sum + count)
        await eventually(() =>
          expect([...outcomes.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(atEnd + 20),
        )
        postgres = await start()
        const before = done.length
        await eventually(() => expect(done.length).toBeGreaterThan(before + 50))
      } finally {
        await stop()
      }
      expect([...outcomes.keys()].sort()).toEqual(['done', unavailable])
      const storedIds = new Set(
        (await query<{ id: string }>(database.manager, 'select id from outbox')).map(({ id }) => id),
      )
      expect(done.filter(id => /^(write|transaction)/.test(id) && !storedIds.has(id))).toEqual([])
      expect(await query(database.manager, `select id from thing where id not in (select id from outbox)`)).toEqual([])
    },
  )
})
