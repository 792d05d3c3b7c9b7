import type { EntitySchema, FindOptionsWhere } from 'typeorm'

/**
 * A table whose rows are jobs: when one is due, and which columns say that an attempt works on it. Fragments of SQL name the columns of
 * the table with the alias `job`. `Holder` has the properties that name the attempt that holds a lease.
 */
export interface JobTable<Row extends object, Holder extends object = Row> {
  entity: EntitySchema<Row>
  /** The property that is the primary key. */
  key: keyof Row & string
  /** SQL condition of rows that are due at some time; an index should serve it. */
  open: string
  /** SQL of the time from which an attempt may start: for a row that is leased, the end of the lease; null for never. */
  due: string
  /** SQL condition of rows that are leased, or whose lease has ended without a result. */
  isTaken: string
  /** SQL of whom a job is for: groups take turns. */
  group?: string
  /** Attempts after which a row is given up; infinite for one that is never given up. */
  maxAttempts: number
  attemptsOf(row: Row): number
  /** The columns of a row when an attempt starts. */
  take(row: Row, now: Date): Partial<Row>
  /** The columns of a row when its attempt shows a sign of life. */
  keep(now: Date): Partial<Row>
  /** The columns of a row that is handed back. An attempt that is not counted did not fail: the service stops, say. */
  release(row: Holder, options: { now: Date; isCounted: boolean }): Partial<Row>
  /** The condition that holds while the attempt that has this row has its lease. */
  heldBy(row: Holder): FindOptionsWhere<Row>
}

/** The part of a `JobTable` that finds and takes jobs. */
export type DueJobs<Row extends object> = Omit<JobTable<Row>, 'release' | 'heldBy'>

/** A row whose state says whether it waits, and whose lease is the last sign of life of an attempt. */
export interface StateRow {
  id: string
  state: string
  attempts: number
  heartbeatAt: Date | null
}

/** The columns that `stateJobs` sets. */
type StateColumns<Row> = Pick<Row, keyof Row & keyof StateRow>

/**
 * A table of rows with `state`, `attempts` and `heartbeatAt` (`heartbeat_at`). A row that waits is due at `dueAt`, at once
 * unless given, and the lease of one that is worked on ends `leaseMs` after the last sign of life. The number of the attempt names its holder.
 */
export function stateJobs<Row extends StateRow>(options: {
  entity: EntitySchema<Row>
  waiting: Row['state']
  running: Row['state']
  leaseMs: number
  maxAttempts: number
  dueAt?: string
  open?: string
  group?: string
}): JobTable<Row, Pick<StateRow, 'id' | 'attempts'>> {
  const { entity, waiting, running, leaseMs, maxAttempts, dueAt = 'least(job.created_at, now())', group } = options
  const leaseEnd = `job.heartbeat_at + make_interval(secs => ${leaseMs / 1000})`
  const columns = (changes: Partial<StateColumns<StateRow>>) => changes as Partial<Row>
  return {
    entity,
    key: 'id',
    open: options.open ?? `job.state in ('${waiting}', '${running}')`,
    due: `case job.state when '${running}' then greatest(${dueAt}, ${leaseEnd}) else ${dueAt} end`,
    isTaken: `job.state = '${running}'`,
    ...(group !== undefined && { group }),
    maxAttempts,
    attemptsOf: ({ attempts }) => attempts,
    take: ({ attempts }, now) => columns({ state: running, attempts: attempts + 1, heartbeatAt: now }),
    keep: now => columns({ heartbeatAt: now }),
    release: ({ attempts }, { isCounted }) =>
      columns({ state: waiting, attempts: isCounted ? attempts : attempts - 1, heartbeatAt: null }),
    heldBy: ({ id, attempts }) => ({ id, attempts, state: running }) as FindOptionsWhere<Row>,
  }
}
