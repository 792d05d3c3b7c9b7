import type { Db } from './open.ts'
import { query } from './query.ts'

/** SQL that creates the function of the triggers of `wakeTrigger`; part of a migration of each service that has some. */
export const wakeFunction = `create function wake_work() returns trigger language plpgsql as
  $$ begin perform pg_notify('work', tg_table_name); return null; end $$`

/**
 * SQL that creates a trigger: it notifies the work on a table (channel `work`) when a row is inserted, or one of `columns` is updated, and
 * the SQL condition `when` (on `new`) holds. The table needs `wakeFunction`.
 */
export function wakeTrigger(table: string, { columns, when }: { columns: string[]; when: string }): string {
  return `create trigger wake_work after insert or update of ${columns.join(', ')} on ${table}
    for each row when (${when}) execute function wake_work()`
}

/** Milliseconds until the earliest of the times that a select with one column finds: negative when that is over, infinite when there is none. */
export async function untilEarliest(db: Db, times: string, values: unknown[] = []): Promise<number> {
  const [earliest] = await query<{ ms: number | null }>(
    db,
    `select extract(epoch from min(time) - now())::float8 * 1000 as ms from (${times}) as times (time)`,
    values,
  )
  return earliest?.ms ?? Infinity
}
