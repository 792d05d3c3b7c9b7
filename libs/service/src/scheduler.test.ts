import {
  migrate,
  openDatabase,
  query,
  startListening,
  untilEarliest,
  wakeTrigger,
  type DataSource,
  type Listening,
} from '@recto/database'
import { aDatabase, eventually, type TestDatabase } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startScheduler } from './scheduler.ts'
import { notesAt } from './test/notes.ts'

function aLog() {
  const warnings: object[] = []
  return { warnings, warn: (details: object) => void warnings.push(details) }
}

describe('periodic work', () => {
  it('runs at once and again after each run, never twice at a time', async () => {
    const seen = { runs: 0, atOnce: 0, most: 0 }
    const run = async () => {
      seen.runs += 1
      seen.most = Math.max(seen.most, (seen.atOnce += 1))
      await new Promise(resolve => setImmediate(resolve))
      seen.atOnce -= 1
    }
    const scheduler = startScheduler([{ name: 'count', every: 1, run }], aLog())
    expect(seen.runs).toBe(1)
    await eventually(() => expect(seen.runs).toBeGreaterThan(3))
    await scheduler.stop()
    expect(seen.most).toBe(1)
  })

  it('continues after a failed run, which it logs', async () => {
    const log = aLog()
    let runs = 0
    const run = async () => {
      runs += 1
      if (runs === 1) throw new Error('the database is away')
    }
    const scheduler = startScheduler([{ name: 'clean', every: 1, run }], log)
    await eventually(() => expect(runs).toBeGreaterThan(1))
    await scheduler.stop()
    expect(log.warnings).toEqual([{ err: new Error('the database is away'), work: 'clean' }])
  })

  it('may set the delay until its next run', async () => {
    let runs = 0
    const run = async () => ((runs += 1), 1)
    const scheduler = startScheduler([{ name: 'purge', every: 3_600_000, run }], aLog())
    await eventually(() => expect(runs).toBeGreaterThan(2))
    await scheduler.stop()
  })

  it('stops after its current run, which receives the abort signal, and does not run again', async () => {
    const order: string[] = []
    const run = async (signal: AbortSignal) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      order.push('run ended')
    }
    const scheduler = startScheduler([{ name: 'wait', every: 1, run }], aLog())
    await scheduler.stop()
    order.push('stopped')
    expect(order).toEqual(['run ended', 'stopped'])
  })
})

describe('work on rows', () => {
  let database: TestDatabase
  let source: DataSource
  let listening: Listening
  beforeAll(async () => {
    database = await aDatabase({ template: 'notes', migrate: async url => void (await migrate(notesAt(url))) })
    source = await openDatabase(notesAt(database.url))
    await query(source.manager, 'create table chores (id text primary key, due_at timestamptz)')
    await query(source.manager, wakeTrigger('chores', { columns: ['due_at'], when: 'new.due_at is not null' }))
    listening = startListening({ url: database.url, log: aLog() })
    await eventually(() => expect(listening.isUp()).toBe(true))
  })
  afterAll(async () => {
    await listening.stop()
    await source.destroy()
    await database.drop()
  })
  const write = (sql: string) => query(source.manager, sql)

  /** Does the chores that are due, and counts its looks at them. */
  function aWorker() {
    const seen = { looks: 0, done: [] as string[] }
    const work = {
      name: 'chores',
      every: 20,
      rows: {
        tables: ['chores'],
        untilDue: () => untilEarliest(source.manager, 'select due_at from chores'),
        // Only what wakes it has it look again.
        maxPause: 3_600_000,
      },
      run: async () => {
        seen.looks += 1
        const due = await query<{ id: string }>(
          source.manager,
          'update chores set due_at = null where due_at <= now() returning id',
        )
        seen.done.push(...due.map(({ id }) => id))
      },
    }
    return { seen, ...startScheduler([work], aLog(), listening) }
  }

  it('sleeps while none is due, and wakes when one is written and when one is due', async () => {
    const { seen, stop } = aWorker()
    await write(`insert into chores values ('later', now() + interval '1 second'), ('never', null)`)
    await write(`insert into chores values ('at once', now())`)
    await eventually(() => expect(seen.done.toSorted()).toEqual(['at once', 'later']))
    const before = seen.looks
    await write(`insert into chores values ('tomorrow', now() + interval '1 day')`)
    await eventually(() => expect(seen.looks).toBeGreaterThan(before))
    expect(seen.looks).toBeLessThan(20)
    await write(`update chores set due_at = now() where id = 'tomorrow'`)
    await eventually(() => expect(seen.done.toSorted()).toEqual(['at once', 'later', 'tomorrow']))
    await stop()
  })

  it('wakes in every replica, and when the connection that listens is made again', async () => {
    const one = aWorker()
    const other = aWorker()
    await eventually(() => expect([one.seen.looks, other.seen.looks]).toEqual([1, 1]))
    await write(`insert into chores values ('for one', now())`)
    await eventually(() => expect([...one.seen.done, ...other.seen.done]).toEqual(['for one']))
    await eventually(() => expect(Math.min(one.seen.looks, other.seen.looks)).toBeGreaterThan(1))
    await write(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    )
    await eventually(() => expect(listening.isUp()).toBe(false))
    await write(`insert into chores values ('unheard', now())`)
    await eventually(() => expect([...one.seen.done, ...other.seen.done].toSorted()).toEqual(['for one', 'unheard']))
    await Promise.all([one.stop(), other.stop()])
  })

  it('looks again and again while an overdue row is left, or nothing listens', async () => {
    let looks = 0
    const run = async () => void (looks += 1)
    const rows = (until: number) => ({ tables: ['chores'], untilDue: async () => until })
    const overdue = startScheduler([{ name: 'left', every: 1, rows: rows(-1_000), run }], aLog(), listening)
    await eventually(() => expect(looks).toBeGreaterThan(3))
    await overdue.stop()
    looks = 0
    const deaf = startScheduler([{ name: 'deaf', every: 1, rows: rows(Infinity), run }], aLog())
    await eventually(() => expect(looks).toBeGreaterThan(3))
    await deaf.stop()
  })
})
