import type { Db } from '@recto/database'
import { Any } from 'typeorm'
import { ReactionEntity, type ReactionRow } from './reaction.entity.ts'

/** Lists the reactions to comments and replies, by their ids, oldest first. */
export async function listOf(db: Db, subjectIds: string[]): Promise<ReactionRow[]> {
  if (subjectIds.length === 0) return []
  return db.find(ReactionEntity, {
    where: { subjectId: Any(subjectIds) },
    order: { createdAt: 'ASC', userId: 'ASC', symbol: 'ASC' },
  })
}

export async function insert(db: Db, rows: ReactionRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(ReactionEntity, rows)
}

/** Deletes a user's reactions of these symbols. */
export async function remove(
  db: Db,
  { subjectId, userId, symbols }: Pick<ReactionRow, 'subjectId' | 'userId'> & { symbols: string[] },
): Promise<void> {
  if (symbols.length > 0) await db.delete(ReactionEntity, { subjectId, userId, symbol: Any(symbols) })
}
