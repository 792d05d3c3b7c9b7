import { type Db, query } from '@recto/database'
import { HandOverEntity } from './hand-over.entity.ts'

const fromContent = 'content'

/** Lets one transaction at a time, of any replica, take over rows. */
export async function lockHandOver(db: Db): Promise<void> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('git hand-over', 6))`)
}

/** Whether all rows are taken over from content. */
export async function isTakenOver(db: Db): Promise<boolean> {
  return db.existsBy(HandOverEntity, { id: fromContent })
}

/** Records that all rows are taken over from content. */
export async function recordTakeOver(db: Db): Promise<void> {
  await db.insert(HandOverEntity, { id: fromContent, createdAt: new Date() })
}
