import { type Db, onConnectionAcquired } from '@recto/database'

const minRuns = 5
const maxRuns = 30

/**
 * Counts the statements of some work: how often a connection is acquired, which outside of a transaction happens once per statement.
 * The least count of many runs, once it was seen three times, because background work acquires connections too.
 */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  const isSettled = () => counts.filter(count => count === Math.min(...counts)).length >= 3
  while (counts.length < minRuns || (counts.length < maxRuns && !isSettled())) {
    let count = 0
    const stopCounting = onConnectionAcquired(db.dataSource, () => void (count += 1))
    await work()
    stopCounting()
    counts.push(count)
  }
  return Math.min(...counts)
}
