import type { Db } from '@recto/database'

const [fewest, most] = [5, 30]

interface Pool {
  on(event: 'acquire', onAcquire: () => void): void
  off(event: 'acquire', onAcquire: () => void): void
}

/**
 * Counts the statements of some work: how often a connection is acquired, which outside of a transaction happens once per statement.
 * The least count of many runs, once it was seen three times, because background work acquires connections too.
 */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const pool = (db.dataSource.driver as unknown as { master: Pool }).master
  const counts: number[] = []
  const isSettled = () => counts.filter(count => count === Math.min(...counts)).length >= 3
  while (counts.length < fewest || (counts.length < most && !isSettled())) {
    let count = 0
    const onAcquire = () => void (count += 1)
    pool.on('acquire', onAcquire)
    await work()
    pool.off('acquire', onAcquire)
    counts.push(count)
  }
  return Math.min(...counts)
}
