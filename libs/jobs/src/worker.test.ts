import { query, startListening, transact, type Listening } from '@recto/database'
import { Failure } from '@recto/operation'
import { eventually } from '@recto/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findDue, releaseJob, takeJob, updateHeld, type Worker } from './index.ts'
import { aChoresDatabase, aChoreWorker, aLog, choreJobs, type ChoreRow, type Chores } from './test/chores.ts'

let chores: Chores
const workers: Worker[] = []
beforeAll(async () => (chores = await aChoresDatabase()))
beforeEach(() => query(chores.database.manager, 'truncate chores'))
afterEach(async () => void (await Promise.all(workers.splice(0).map(worker => worker.stop()))))
afterAll(() => chores.stop())

const aWorker: typeof aChoreWorker = (...options) => {
  const worker = aChoreWorker(...options)
  workers.push(worker)
  return worker
}
const states = async () => (await chores.rows()).map(({ id, state, attempts }) => `${id} ${state} ${attempts}`)
const take = (key: string) =>
  transact(
    chores.database.manager,
    () => undefined,
    tx => takeJob(tx, choreJobs, { key }),
  )
/** Ends the lease of what is worked on, as time would. */
const endLeases = () => query(chores.database.manager, `update chores set heartbeat_at = now() - interval '1 hour'`)

/** Attempts that go on until they are let go, and those that were begun. */
function aLatch() {
  const begun: string[] = []
  let open = (): void => undefined
  const whenOpen = new Promise<void>(resolve => (open = resolve))
  return { begun, open, attempt: async ({ id }: ChoreRow) => void (begun.push(id), await whenOpen) }
}

describe('a worker', () => {
  it('does each job once, in the order of their creation', async () => {
    const done: string[] = []
    await chores.add('one', 'a', 'b', 'c', 'd')
    const worker = aWorker(chores, {
      concurrency: 1,
      attempt: async ({ id }, job) => {
        done.push(id)
        await job.finish(chores.database.manager, { state: 'success' })
      },
    })
    worker.wake()
    await eventually(async () => expect(await states()).toEqual(['a', 'b', 'c', 'd'].map(id => `${id} success 1`)))
    expect(done).toEqual(['a', 'b', 'c', 'd'])
  })

  it('does a job on request, and the request waits for it, also behind others', async () => {
    await chores.add('one', 'a', 'b', 'c')
    const worker = aWorker(chores, { concurrency: 1 })
    await worker.run('c')
    expect(await states()).toEqual(['a success 1', 'b success 1', 'c success 1'])
  })

  it('lets a request go whose job has ended, or is worked on elsewhere', async () => {
    await chores.add('one', 'ended', 'elsewhere')
    await query(chores.database.manager, `update chores set state = 'success' where id = 'ended'`)
    await take('elsewhere')
    const worker = aWorker(chores)
    await Promise.all([worker.run('ended'), worker.run('elsewhere'), worker.run('never written')])
    expect(await states()).toEqual(['elsewhere running 1', 'ended success 0'])
  })

  it('does a job on request that another process hands back while this one looks', async () => {
    await chores.add('one', 'a')
    const held = await take('a')
    const { manager } = chores.database
    let handBack = () => releaseJob(manager, choreJobs, { row: held?.row as ChoreRow, isCounted: true })
    const queryRunner = {
      async query(sql: string, values: unknown[]) {
        const records = await query(manager, sql, values)
        await handBack()
        handBack = async () => true
        return { records }
      },
    }
    const db = Object.assign(Object.create(manager) as typeof manager, { queryRunner: queryRunner as never })
    await aWorker(chores, { db, heartbeat: 60_000 }).run('a')
    expect(await states()).toEqual(['a success 2'])
  })

  it('is woken by the notification of a transaction that writes a job, when it commits', async () => {
    const listening: Listening = startListening({ url: chores.url, log: aLog() })
    await eventually(() => expect(listening.isUp()).toBe(true))
    const worker = aWorker(chores)
    listening.on(
      'work',
      table => void (table !== undefined && worker.work.rows.tables.includes(table) && worker.wake()),
    )
    for (const id of ['a', 'b']) {
      await chores.add('one', id)
      await eventually(async () => expect(await states()).toContain(`${id} success 1`))
    }
    await listening.stop()
  })

  it('works on as many jobs as it has places, and on a group up to its share', async () => {
    await chores.add('busy', 'a', 'b', 'c', 'd')
    await chores.add('other', 'x')
    const { begun, open, attempt } = aLatch()
    const worker = aWorker(chores, { concurrency: 3, maxPerGroup: 2, attempt })
    worker.wake()
    await eventually(() => expect(begun.toSorted()).toEqual(['a', 'b', 'x']))
    await chores.add('other', 'y')
    worker.wake()
    await worker.work.run()
    expect(begun).toHaveLength(3)
    open()
  })

  it('hands back what it works on when it stops, without counting the attempt', async () => {
    await chores.add('one', 'a')
    const aborted: unknown[] = []
    let begin = (): void => undefined
    const begun = new Promise<void>(resolve => (begin = resolve))
    const worker = aWorker(chores, {
      attempt: (_row, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason)
            reject(signal.reason)
          })
          begin()
        }),
    })
    worker.wake()
    await begun
    await worker.stop()
    expect([aborted.length, await states()]).toEqual([1, ['a queued 0']])
    expect(await findDue(chores.database.manager, choreJobs, { limit: 5 })).toEqual([{ key: 'a', group: 'one' }])
  })

  it('ends an attempt that takes too long, with the failure of the worker', async () => {
    await chores.add('one', 'a')
    const late = new Failure('timeout', 'The chore took too long')
    const reasons: unknown[] = []
    const worker = aWorker(chores, {
      timeoutMs: 20,
      late,
      attempt: (_row, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      async fail(_row, { reason, job }) {
        reasons.push(reason)
        await job.finish(chores.database.manager, { state: 'failure' })
        return true
      },
    })
    await worker.run('a')
    expect([reasons, await states()]).toEqual([[late], ['a failure 1']])
  })
})

describe('a job that fails', () => {
  it('is tried again, each attempt is counted, and the last one gives it up', async () => {
    await chores.add('one', 'a')
    const attempts: number[] = []
    const worker = aWorker(chores, {
      attempt: async row => {
        attempts.push(row.attempts)
        throw new Error('no')
      },
    })
    for (let turn = 0; turn < 5; turn += 1) await worker.run('a')
    expect([attempts, await states()]).toEqual([[1, 2, 3], ['a failure 3']])
  })

  it('ends when its worker says that another attempt would fail, too', async () => {
    await chores.add('one', 'a')
    const worker = aWorker(chores, {
      attempt: () => Promise.reject(new Failure('invalid_request', 'no')),
      async fail(_row, { job }) {
        await job.save({ state: 'failure', result: 'faulty' })
        return true
      },
    })
    await worker.run('a')
    await worker.run('a')
    expect(await states()).toEqual(['a failure 1'])
  })
})

describe('the lease of an attempt', () => {
  it('is held by one of many that take it at once', async () => {
    await chores.add('one', 'a')
    const taken = await Promise.all(Array.from({ length: 10 }, () => take('a')))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('goes to another worker when its process is gone, and what the first one writes later is refused', async () => {
    await chores.add('one', 'a')
    const dead = await take('a')
    const worker = aWorker(chores)
    await worker.run('a')
    expect(await states()).toEqual(['a running 1'])
    await endLeases()
    await worker.run('a')
    expect(await states()).toEqual(['a success 2'])
    const row = dead?.row as ChoreRow
    const db = chores.database.manager
    expect(await updateHeld(db, choreJobs, { row, changes: { result: 'of the dead' } })).toBe(false)
    expect(await releaseJob(db, choreJobs, { row, isCounted: true })).toBe(false)
    expect((await chores.rows())[0]?.result).toBe('done')
  })

  it('is kept as long as the attempt goes on', async () => {
    await chores.add('one', 'a')
    const { begun, open, attempt } = aLatch()
    const worker = aWorker(chores, {
      table: { ...choreJobs, keep: choreJobs.keep },
      heartbeat: 10,
      attempt: async (row, job) => {
        await attempt(row)
        await job.finish(chores.database.manager, { state: 'success' })
      },
    })
    const ended = worker.run('a')
    await eventually(() => expect(begun).toEqual(['a']))
    const first = (await chores.rows())[0]?.heartbeatAt?.getTime() ?? 0
    await eventually(async () =>
      expect((await chores.rows())[0]?.heartbeatAt?.getTime()).toBeGreaterThan(first + 2_000),
    )
    await aWorker(chores).run('a')
    expect(begun).toEqual(['a'])
    open()
    await ended
    expect(await states()).toEqual(['a success 1'])
  })

  it('that is lost ends the attempt, which writes nothing more', async () => {
    await chores.add('one', 'a')
    let begin = (): void => undefined
    const begun = new Promise<void>(resolve => (begin = resolve))
    const worker = aWorker(chores, {
      heartbeat: 10,
      attempt: (_row, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          begin()
        }),
    })
    const ended = worker.run('a')
    await begun
    await query(chores.database.manager, `update chores set state = 'failure', result = 'cancelled' where id = 'a'`)
    await ended
    expect((await chores.rows()).map(({ state, result }) => [state, result])).toEqual([['failure', 'cancelled']])
  })

  it('rolls back what an attempt did that finishes without it', async () => {
    await chores.add('one', 'a')
    const db = chores.database.manager
    const worker = aWorker(chores, {
      async attempt(_row, job) {
        await query(db, `update chores set attempts = 7`)
        await transact(
          db,
          () => undefined,
          async tx => {
            await query(tx, `insert into chores (id, house, state) values ('made', 'one', 'success')`)
            await job.finish(tx, { state: 'success' })
          },
        )
      },
    })
    await worker.run('a')
    expect(await states()).toEqual(['a running 7'])
  })
})
