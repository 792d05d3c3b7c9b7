import type { Db } from './open.ts'
import { poolOf } from './pool.ts'
import { failureOfDatabase } from './unavailable.ts'

/** Runs SQL in the handle's transaction, or on any connection of the pool. Throws `unavailable` or `timeout`, or the driver's error. */
export async function query<Row>(db: Db, sql: string, values: unknown[] = []): Promise<Row[]> {
  const runner = db.queryRunner ?? db.dataSource.createQueryRunner()
  try {
    const result = await runner.query(sql, values, true)
    return (result.records ?? []) as Row[]
  } finally {
    if (runner !== db.queryRunner) await runner.release()
  }
}

/**
 * Declares a named prepared statement, which Postgres parses once per connection; for the hottest reads, past TypeORM. Inside
 * a transaction it runs as an ordinary statement.
 */
export function prepared<Row>(name: string, sql: string): (db: Db, values: unknown[]) => Promise<Row[]> {
  return async (db, values) => {
    if (db.queryRunner?.isTransactionActive) return query<Row>(db, sql, values)
    try {
      return (await poolOf(db.dataSource).query<Row & object>({ name, text: sql, values })).rows
    } catch (error) {
      throw failureOfDatabase(error)
    }
  }
}

/**
 * Declares a statement as `prepared` does, each row of which comes as one column of JSON: the driver builds anew, for each execution, what
 * reads its columns, which took 7 % of the processor time of reading a space. Only for columns that are texts, integers that a number
 * holds, booleans or JSON; `times` names those that are times.
 */
export function preparedAsJson<Row extends object>(
  name: string,
  sql: string,
  times: readonly (keyof Row & string)[],
): (db: Db, values: unknown[]) => Promise<Row[]> {
  const read = prepared<{ row: Record<string, unknown> }>(name, `select row_to_json(r) as row from (${sql}) r`)
  return async (db, values) => {
    const rows = await read(db, values)
    for (const { row } of rows)
      for (const time of times) if (typeof row[time] === 'string') row[time] = new Date(row[time])
    return rows.map(({ row }) => row as Row)
  }
}
