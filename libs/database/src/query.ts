import type { Db } from './open.ts'
import { failureOfDatabase } from './unavailable.ts'

/** Runs SQL on a connection of the handle's transaction, or any of the pool. */
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
 * A statement that Postgres parses and plans once per connection, sent by name afterwards; for the hottest reads, past
 * TypeORM. It runs on the pool, so not inside a transaction.
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
