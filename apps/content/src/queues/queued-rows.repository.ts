import { query, untilEarliest, type Db } from '@recto/database'

const isOpen = `state in ('queued', 'running')`
const leaseEnd = 'heartbeat_at + make_interval(secs => $1::float8 / 1000)'

/**
 * Ids of rows of a queue that nobody works on: queued ones, and those without a sign of life for so many milliseconds. Rows of the table
 * have a state, and while they are worked on the time of the last sign of life (`heartbeat_at`).
 */
export async function findWaitingRows(db: Db, table: string, silence: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select id from ${table} where ${isOpen} and (state = 'queued' or ${leaseEnd} < now()) order by created_at, id limit 100`,
    [silence],
  )
  return rows.map(({ id }) => id)
}

/** Milliseconds until `findWaitingRows` finds a row; infinite when there is none that could wait. */
export function untilRowWaits(db: Db, table: string, silence: number): Promise<number> {
  const times = `select case state when 'queued' then now() else ${leaseEnd} end from ${table} where ${isOpen}`
  return untilEarliest(db, times, [silence])
}
