import {
  migrate,
  openDatabase,
  query,
  transact,
  wakeFunction,
  wakeTrigger,
  type DatabaseOptions,
  type DataSource,
  type EntityColumns,
} from '@recto/database'
import { aDatabase } from '@recto/testing'
import { EntitySchema } from 'typeorm'
import { createWorker, stateJobs, type Worker, type WorkerOptions } from '../index.ts'

export interface ChoreRow {
  id: string
  house: string
  state: 'queued' | 'running' | 'success' | 'failure'
  attempts: number
  heartbeatAt: Date | null
  createdAt: Date
  result: string | null
}

export const ChoreEntity = new EntitySchema<ChoreRow>({
  name: 'Chore',
  tableName: 'chores',
  columns: {
    id: { type: 'text', primary: true },
    house: { type: 'text' },
    state: { type: 'text' },
    attempts: { type: 'int' },
    heartbeatAt: { type: 'timestamptz', precision: 3, name: 'heartbeat_at', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    result: { type: 'text', nullable: true },
  } satisfies EntityColumns<ChoreRow>,
})

const choreTable = {
  entity: ChoreEntity,
  waiting: 'queued',
  running: 'running',
  group: 'job.house',
  maxAttempts: 3,
} as const

export const choreJobs = stateJobs<ChoreRow>({ ...choreTable, leaseMs: 2_000 })

/** Jobs whose lease no attempt loses, however busy the machine is. */
export const longLeasedChores = stateJobs<ChoreRow>({ ...choreTable, leaseMs: 600_000 })

class CreateChores1700000000000 {
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    for (const statement of [
      `create table chores (id text primary key, house text not null, state text not null default 'queued', attempts int not null default 0,
         heartbeat_at timestamptz(3), created_at timestamptz(3) not null default clock_timestamp(), result text)`,
      wakeFunction,
      wakeTrigger('chores', { columns: ['state'], when: `new.state = 'queued'` }),
    ])
      await runner.query(statement)
  }
  async down(): Promise<void> {}
}

const choresAt = (url: string): DatabaseOptions => ({
  url,
  entities: [ChoreEntity],
  migrations: [CreateChores1700000000000 as never],
  poolSize: 12,
})

/** A database of chores, and what tests do with it. */
export interface Chores {
  url: string
  database: DataSource
  /** Writes chores, the first ones created first; resolves to their ids. */
  add(house: string, ...ids: string[]): Promise<string[]>
  rows(): Promise<ChoreRow[]>
  stop(): Promise<void>
}

export async function aChoresDatabase(): Promise<Chores> {
  const { url, drop } = await aDatabase({
    template: 'chores',
    migrate: async at => void (await migrate(choresAt(at))),
  })
  const database = await openDatabase(choresAt(url))
  return {
    url,
    database,
    async add(house, ...ids) {
      for (const id of ids) await query(database.manager, 'insert into chores (id, house) values ($1, $2)', [id, house])
      return ids
    },
    rows: () => database.manager.find(ChoreEntity, { order: { id: 'ASC' } }),
    async stop() {
      await database.destroy()
      await drop()
    },
  }
}

/** A log that keeps its messages. */
export function aLog() {
  const lines: string[] = []
  const note = (_details: object, message: string) => void lines.push(message)
  return { lines, warn: note, error: note }
}

/** A worker on chores; `attempt` does one, unless another attempt is given, by writing its result. */
export function aChoreWorker(
  { database }: Pick<Chores, 'database'>,
  options: Partial<WorkerOptions<ChoreRow>> = {},
): Worker {
  const db = database.manager
  const transaction: WorkerOptions<ChoreRow>['transaction'] = work => transact(db, () => undefined, work)
  return createWorker<ChoreRow>({
    name: 'chores',
    table: choreJobs,
    wokenBy: ['chores'],
    db,
    transaction,
    log: aLog(),
    concurrency: 3,
    every: 20,
    heartbeat: 200,
    timeoutMs: 60_000,
    attempt: (_row, job) => transaction(tx => job.finish(tx, { state: 'success', result: 'done' })),
    giveUp: async (tx, { id }) => void (await tx.update(ChoreEntity, { id }, { state: 'failure', result: 'given up' })),
    ...options,
  })
}
