import { setMaxListeners } from 'node:events'
import type { Db, Transaction } from '@recto/database'
import { Failure, runWithOrigin } from '@recto/operation'
import { findDue, keysDue, untilDue, type DueJob } from './due-jobs.ts'
import type { JobTable } from './job-table.ts'
import { keepLease } from './lease.ts'
import { releaseJob, takeJob, updateHeld, type Taken } from './leased-rows.ts'

/** Works on the jobs of a table in this process. The rows are the queue: what a process leaves behind, another one takes over. */
export interface Worker {
  /** Looks for jobs that are due. */
  wake(): void
  /** Works on a job when its turn comes; resolves when this process does not work on it any more, or nobody has to. Never rejects. */
  run(key: string): Promise<void>
  /** Periodic work for a scheduler, which wakes it when a job is due. */
  work: {
    name: string
    every: number
    rows: { tables: string[]; untilDue(): Promise<number> }
    run(): Promise<void>
  }
  /** Hands the jobs that this process works on back to the queue, and starts no others. */
  stop(): Promise<void>
}

/** An attempt that holds the lease of its job. */
export interface RunningJob<Row> {
  /** Aborts when the attempt has to end: the service stops, it takes too long, or the lease is lost. */
  signal: AbortSignal
  /** Ends the attempt as one that failed for this reason. */
  abort(reason: unknown): void
  /** Columns that the next sign of life writes, such as progress. */
  progress: Partial<Row>
  /** Writes columns at once; throws when the lease is lost. */
  save(changes: Partial<Row>): Promise<void>
  /** Writes columns in the transaction of what the attempt did; throws, so that it rolls back, when the lease is lost. */
  finish(tx: Db, changes: Partial<Row>): Promise<void>
}

/** The jobs of a table, and the work on one. Times are milliseconds. */
export interface WorkerOptions<Row extends object> {
  /** The name of the work in the log. */
  name: string
  table: JobTable<Row>
  /** Tables whose `wakeTrigger` notifies of jobs that are due. */
  wokenBy: string[]
  db: Db
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  log: Record<'warn' | 'error', (details: object, message: string) => void>
  /** Jobs at once in this process. */
  concurrency: number
  /** Jobs of one group at once in this process; as many as there are places unless given. */
  maxPerGroup?: number
  /** Between two looks for jobs that are due, at least. */
  every: number
  /** Between two signs of life. */
  heartbeat: number
  /** For one attempt; without it, an attempt may take as long as it does. */
  timeoutMs?: number
  /** The failure of an attempt that takes longer. */
  late?: Failure
  /** Locks what has to be locked before the row of a job. */
  beforeTaking?(tx: Transaction, key: string): Promise<void>
  /** Columns of a row that is taken, beside those of its lease. */
  started?(row: Row): Partial<Row>
  /** One attempt. It ends the job with `finish`; when it throws, the job is handed back to the queue unless `fail` ends it. */
  attempt(row: Row, job: RunningJob<Row>): Promise<void>
  /** Ends a job, if its failure is one that another attempt would repeat; resolves to whether it did. */
  fail?(row: Row, failure: { reason: unknown; job: RunningJob<Row> }): Promise<boolean>
  /** Ends a job whose last attempt was interrupted, in a transaction that has locked its row. */
  giveUp(tx: Transaction, row: Row): Promise<void>
}

/** Starts nothing by itself. */
export function createWorker<Row extends object>(options: WorkerOptions<Row>): Worker {
  return new RowWorker(options)
}

const lost = new Failure('conflict', 'Another attempt works on the job, or it is cancelled')

/** Whoever has the lease ends the job. */
function unlessLost(error: unknown): true {
  if (error === lost) return true
  throw error
}

/** How an attempt ended: whether the row was there to be taken, and the work went through. */
type Ended = 'done' | 'failed' | 'left'

class RowWorker<Row extends object> implements Worker {
  readonly #options: WorkerOptions<Row>
  readonly #stopping = new AbortController()
  /** Attempts of this process by key, with the group that each is for. */
  readonly #running = new Map<string, { group: string | null; ended: Promise<void> }>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #look: Promise<void> = Promise.resolve()
  #isLooking = false
  #looksAgain = false
  readonly work: Worker['work']

  constructor(options: WorkerOptions<Row>) {
    this.#options = options
    // Each attempt listens; Node takes more than ten for a leak.
    setMaxListeners(options.concurrency, this.#stopping.signal)
    const { name, every, wokenBy: tables, db, table } = options
    this.work = {
      name,
      every,
      rows: { tables, untilDue: () => untilDue(db, table) },
      run: async () => this.#lookForJobs(),
    }
  }

  wake(): void {
    this.#lookForJobs().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted)
        this.#options.log.warn({ err: error, work: this.#options.name }, 'due jobs were not looked for')
      this.#resolveWaiting([...this.#waiting.keys()])
    })
  }

  run(key: string): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve])
      if (!this.#running.has(key)) this.wake()
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Failure('unavailable', 'The service stops'))
    await this.#look.catch(() => undefined)
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
    this.#resolveWaiting([...this.#waiting.keys()])
  }

  /** One look at a time: a call meanwhile has it look again. */
  #lookForJobs(): Promise<void> {
    this.#looksAgain = true
    if (!this.#isLooking) this.#look = this.#lookUntilDone()
    return this.#look
  }

  async #lookUntilDone(): Promise<void> {
    this.#isLooking = true
    try {
      while (this.#looksAgain && !this.#stopping.signal.aborted) {
        this.#looksAgain = false
        const free = this.#options.concurrency - this.#running.size
        if (free <= 0) return
        for (const job of await this.#findStartable(free)) this.#start(job)
        await this.#resolveUnneeded()
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #findStartable(limit: number): Promise<DueJob[]> {
    const { db, table, maxPerGroup: perGroup = Infinity } = this.#options
    const counts = new Map<string, number>()
    for (const { group } of this.#running.values()) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1)
    const full = [...counts].flatMap(([group, count]) => (count >= perGroup ? [group] : []))
    const jobs = await findDue(db, table, {
      limit,
      except: [...this.#running.keys()],
      exceptGroups: full,
      ...(perGroup !== Infinity && { perGroup }),
    })
    const startable = jobs.filter(({ group }) => {
      const count = counts.get(group ?? '') ?? 0
      if (group !== null) counts.set(group, count + 1)
      return group === null || count < perGroup
    })
    // A group that is full now took places in the list from others.
    if (startable.length < jobs.length) this.#looksAgain = true
    return startable
  }

  #start({ key, group }: DueJob): void {
    const { log, name } = this.#options
    if (this.#stopping.signal.aborted) return
    // Whoever has it look for jobs did not cause what they do.
    const ended = runWithOrigin({}, () => this.#attempt(key))
      .catch((error: unknown): Ended => {
        if (!this.#stopping.signal.aborted) log.warn({ err: error, job: key }, `work of ${name} was interrupted`)
        return 'failed'
      })
      .then(end => {
        this.#running.delete(key)
        this.#resolveWaiting([key])
        // A job that failed, or is being taken by another process, is looked at by the scheduler.
        if (end === 'done' || this.#waiting.size > 0) this.wake()
      })
    this.#running.set(key, { group, ended })
  }

  async #attempt(key: string): Promise<Ended> {
    const { table, db, log, timeoutMs, heartbeat: every, late } = this.#options
    const taken = await this.#take(key)
    if (!taken) return 'left'
    const { row, clockOffset } = taken
    const progress: Partial<Row> = {}
    const write = (to: Db, changes: Partial<Row>) => updateHeld(to, table, { row, changes })
    const beat = async () => {
      const changes = { ...progress, ...table.keep(new Date(Date.now() + clockOffset)) }
      const isHeld = await write(db, changes)
      if (isHeld) Object.assign(row, changes)
      return isHeld
    }
    const lease = {
      stopping: this.#stopping.signal,
      every,
      lost,
      beat,
      ...(timeoutMs !== undefined && { timeoutMs }),
      late: late ?? new Failure('timeout', 'The work took too long'),
      onError: (error: unknown) => log.warn({ err: error, job: key }, 'the lease of a job was not renewed'),
    }
    let end: Ended = 'done'
    await keepLease(lease, async stop => {
      const orLost = (isHeld: boolean) => {
        if (isHeld) return
        stop.abort(lost)
        throw lost
      }
      const save = async (changes: Partial<Row>) => orLost(await write(db, changes))
      const finish = async (tx: Db, changes: Partial<Row>) => orLost(await write(tx, changes))
      const abort = (reason: unknown) => stop.abort(reason)
      const job = { signal: stop.signal, abort, progress, save, finish }
      try {
        await this.#options.attempt(row, job)
      } catch (error) {
        end = 'failed'
        const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
        if (reason !== lost) await this.#failed(row, { reason, job })
      }
    })
    return end
  }

  #take(key: string): Promise<Taken<Row> | undefined> {
    const { table, transaction, beforeTaking, started, giveUp } = this.#options
    return transaction(async tx => {
      await beforeTaking?.(tx, key)
      const taken = await takeJob(tx, table, { key, ...(started && { started }) })
      if (taken?.kind === 'taken') return taken
      if (taken) await giveUp(tx, taken.row)
      return undefined
    })
  }

  async #failed(row: Row, { reason, job }: { reason: unknown; job: RunningJob<Row> }): Promise<void> {
    const { db, table, log, name, fail } = this.#options
    const isStopping = this.#stopping.signal.aborted
    if (!isStopping && fail && (await fail(row, { reason, job }).catch(unlessLost))) return
    await releaseJob(db, table, { row, isCounted: !isStopping })
    if (!isStopping) log.error({ err: reason, work: name, job: row[table.key] }, 'a job failed and is repeated')
  }

  /** Ends the waiting for jobs that nobody has to work on, or that another process works on. */
  async #resolveUnneeded(): Promise<void> {
    const keys = [...this.#waiting.keys()].filter(key => !this.#running.has(key))
    if (keys.length === 0) return
    const due = await keysDue(this.#options.db, this.#options.table, keys)
    this.#resolveWaiting(keys.filter(key => !due.has(key) && !this.#running.has(key)))
    // Another process handed it back since this one looked; while an attempt runs here, its end has this worker look again.
    if (due.size > 0 && this.#running.size === 0) this.#looksAgain = true
  }

  #resolveWaiting(keys: string[]): void {
    for (const key of keys) {
      const resolves = this.#waiting.get(key) ?? []
      this.#waiting.delete(key)
      for (const resolve of resolves) resolve()
    }
  }
}
