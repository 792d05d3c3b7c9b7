import type { Db } from './open.ts'
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

interface PreparedClient {
  query(config: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/**
 * Declares a named prepared statement, which Postgres parses once per connection; for the hottest reads, past TypeORM. Inside
 * a transaction it runs as an ordinary statement.
 */
export function prepared<Row>(name: string, sql: string): (db: Db, values: unknown[]) => Promise<Row[]> {
  return async (db, values) => {
    if (db.queryRunner?.isTransactionActive) return query<Row>(db, sql, values)
    const pool = (db.dataSource.driver as unknown as { master: PreparedClient }).master
    const { rows } = await pool.query({ name, text: sql, values }).catch((error: unknown) => {
      throw failureOfDatabase(error)
    })
    return rows as Row[]
  }
}
