import type { Db } from '@recto/database'

interface Pool {
  on(event: 'acquire', heard: () => void): void
  off(event: 'acquire', heard: () => void): void
}

/** How often a connection is taken for some work, which outside of a transaction is once for each statement; the least of some runs, since there is work in the background. */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const pool = (db.dataSource.driver as unknown as { master: Pool }).master
  const counts: number[] = []
  for (let run = 0; run < 5; run++) {
    let count = 0
    const heard = () => void (count += 1)
    pool.on('acquire', heard)
    await work()
    pool.off('acquire', heard)
    counts.push(count)
  }
  return Math.min(...counts)
}
