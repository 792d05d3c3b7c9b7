import { query, type Db } from '@recto/database'

const lock = `hashtextextended('stored content', 2)`

/**
 * Takes the shared content lock, so that no stored content is freed until the transaction ends. A writer that relies on a stored hash
 * takes it before the check, and holds it until the revision that references the hash is written.
 */
export async function lockContent(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock_shared(${lock})`)
}

/**
 * Tries to take the exclusive content lock: until the transaction ends, no writer relies on a stored hash. Returns false when a writer
 * holds the lock, and never waits, since other writers would queue up.
 */
export async function tryLockContentExclusive(db: Db): Promise<boolean> {
  const [row] = await query<{ locked: boolean }>(db, `select pg_try_advisory_xact_lock(${lock}) as locked`)
  return row?.locked === true
}

/** Throws when the transaction has ended, and its locks with it. */
export async function assertTransactionAlive(db: Db): Promise<void> {
  await query(db, 'select 1')
}
