import type { Db } from '@recto/database'
import { createId } from '@recto/operation'
import { LessThan, MoreThan } from 'typeorm'
import { AgentFeedbackEntity, type AgentFeedbackRow } from './agent-feedback.entity.ts'

/** Writes what an agent said; returns its id. */
export async function insert(db: Db, row: Omit<AgentFeedbackRow, 'id' | 'createdAt'>): Promise<string> {
  const id = createId()
  await db.insert(AgentFeedbackEntity, { ...row, id, createdAt: new Date() })
  return id
}

/** The feedback about a site, the oldest first. */
export async function listOf(db: Db, siteId: string): Promise<AgentFeedbackRow[]> {
  return db.find(AgentFeedbackEntity, { where: { siteId }, order: { createdAt: 'asc' } })
}

/** The number of messages about a site since a time. */
export async function countSince(db: Db, siteId: string, time: Date): Promise<number> {
  return db.count(AgentFeedbackEntity, { where: { siteId, createdAt: MoreThan(time) } })
}

/** Forgets what was said before a time. */
export async function deleteBefore(db: Db, time: Date): Promise<void> {
  await db.delete(AgentFeedbackEntity, { createdAt: LessThan(time) })
}
