import type { Db } from '@recto/database'
import { MemberVisitorsEntity, type MemberVisitorsRow } from './member-visitors.entity.ts'

/** How members sign in on a site; undefined where they do not. */
export async function find(db: Db, siteId: string): Promise<MemberVisitorsRow | undefined> {
  return (await db.findOneBy(MemberVisitorsEntity, { siteId })) ?? undefined
}

/** As `find`; it stays as it is until the transaction ends, for any number of sign-ins at once. */
export async function findUnchanged(db: Db, siteId: string): Promise<MemberVisitorsRow | undefined> {
  const options = { where: { siteId }, lock: { mode: 'pessimistic_read' as const } }
  return (await db.findOne(MemberVisitorsEntity, options)) ?? undefined
}

/** As `find`, and locks it until the transaction ends. */
export async function lock(db: Db, siteId: string): Promise<MemberVisitorsRow | undefined> {
  const options = { where: { siteId }, lock: { mode: 'pessimistic_write' as const } }
  return (await db.findOne(MemberVisitorsEntity, options)) ?? undefined
}

/** Lets members sign in on a site. */
export async function save(db: Db, row: MemberVisitorsRow): Promise<void> {
  await db.upsert(MemberVisitorsEntity, row, ['siteId'])
}

/** Lets members sign in no more. */
export async function remove(db: Db, siteId: string): Promise<void> {
  await db.delete(MemberVisitorsEntity, { siteId })
}
