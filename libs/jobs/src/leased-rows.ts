import { columnsOf, query, type Db } from '@recto/database'
import type { FindOptionsWhere } from 'typeorm'
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js'
import { columnOf, tableOf } from './columns.ts'
import type { DueJobs, JobTable } from './job-table.ts'

/** The result of taking a job: the row of the attempt that starts, or of a job that has no attempt left. */
export interface Taken<Row> {
  kind: 'taken' | 'exhausted'
  row: Row
  /** Milliseconds by which the clock of the database is ahead. */
  clockOffset: number
}

/** Which job is taken, and how. */
export interface Taking<Row> {
  key: string
  isWanted?(row: Row): boolean
  /** Columns of a row that is taken, beside those of its lease. */
  started?(row: Row): Partial<Row>
}

/**
 * Takes the lease of a job in a transaction, if it is due and `isWanted` accepts its row; undefined when it is not, or when another
 * transaction is about to. A job without an attempt left is locked and stays as it is.
 */
export async function takeJob<Row extends object>(
  tx: Db,
  table: DueJobs<Row>,
  { key, isWanted, started }: Taking<Row>,
): Promise<Taken<Row> | undefined> {
  const { entity, open, due } = table
  const [locked] = await query<Row & { lockedAt: Date }>(
    tx,
    `select ${columnsOf(entity, 'job')}, clock_timestamp() as "lockedAt" from ${tableOf(entity)} job
     where job.${columnOf(entity, table.key)} = $1 and ${open} and ${due} <= now() for update skip locked`,
    [key],
  )
  if (!locked) return undefined
  const { lockedAt, ...rest } = locked
  const row = rest as unknown as Row
  if (isWanted?.(row) === false) return undefined
  const clockOffset = lockedAt.getTime() - Date.now()
  if (table.attemptsOf(row) >= table.maxAttempts) return { kind: 'exhausted', row, clockOffset }
  const changes = { ...started?.(row), ...table.take(row, lockedAt) }
  await update(tx, table, { where: { [table.key]: key } as FindOptionsWhere<Row>, changes })
  return { kind: 'taken', row: { ...row, ...changes }, clockOffset }
}

/** Changes a row whose lease the attempt that has `row` holds; false when it does not any more. */
export async function updateHeld<Row extends object, Holder extends object = Row>(
  db: Db,
  table: JobTable<Row, Holder>,
  { row, changes }: { row: Holder; changes: Partial<Row> },
): Promise<boolean> {
  return update(db, table, { where: table.heldBy(row), changes })
}

/** Hands a job back to the queue; false when the attempt does not hold its lease any more. */
export async function releaseJob<Row extends object, Holder extends object = Row>(
  db: Db,
  table: JobTable<Row, Holder>,
  { row, isCounted }: { row: Holder; isCounted: boolean },
): Promise<boolean> {
  return updateHeld(db, table, { row, changes: table.release(row, { now: new Date(), isCounted }) })
}

async function update<Row extends object>(
  db: Db,
  { entity }: Pick<JobTable<Row>, 'entity'>,
  { where, changes }: { where: FindOptionsWhere<Row>; changes: Partial<Row> },
): Promise<boolean> {
  const { affected } = await db.update(entity, where, changes as QueryDeepPartialEntity<Row>)
  return affected === 1
}
