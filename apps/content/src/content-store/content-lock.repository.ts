import { query, type Db } from '@recto/database'

const lock = `hashtextextended('stored content', 2)`

/**
 * Takes the shared content lock, so that nothing stored under a hash is freed until the transaction ends. Whoever relies on a hash
 * being stored takes it before looking, and holds it until the revision that references the hash is written.
 */
export async function lockContent(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock_shared(${lock})`)
}

/**
 * Tries to take the exclusive content lock: while the transaction lasts, nobody relies on a stored hash. False when somebody does.
 * It never waits, since writers would queue up behind it.
 */
export async function tryLockContentExclusive(db: Db): Promise<boolean> {
  const [row] = await query<{ locked: boolean }>(db, `select pg_try_advisory_xact_lock(${lock}) as locked`)
  return row?.locked === true
}

/** Throws when the transaction, and with it its locks, has ended. */
export async function assertTransactionAlive(db: Db): Promise<void> {
  await query(db, 'select 1')
}
