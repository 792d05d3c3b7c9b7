import type { Db } from '@recto/database'

interface Pool {
  on(event: 'acquire', onAcquire: () => void): void
  off(event: 'acquire', onAcquire: () => void): void
}

/**
 * Counts the statements of some work: how often a connection is acquired, which outside of a transaction happens once per statement.
 * The minimum of five runs, because background work acquires connections too.
 */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const pool = (db.dataSource.driver as unknown as { master: Pool }).master
  const counts: number[] = []
  for (let run = 0; run < 5; run++) {
    let count = 0
    const onAcquire = () => void (count += 1)
    pool.on('acquire', onAcquire)
    await work()
    pool.off('acquire', onAcquire)
    counts.push(count)
  }
  return Math.min(...counts)
}
