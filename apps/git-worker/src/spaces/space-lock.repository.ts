import { type Db, query } from '@recto/database'

/** Lets one transaction at a time decide about the operations and the synchronisation of a space, until it ends. */
export async function lockSpace(db: Db, spaceId: string): Promise<void> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('git space ' || $1, 5))`, [spaceId])
}
