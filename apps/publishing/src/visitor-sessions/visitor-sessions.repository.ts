import { hashToken } from '@recto/actor'
import type { Db } from '@recto/database'
import { In, LessThan, LessThanOrEqual, MoreThan } from 'typeorm'
import { VisitorLogoutEntity } from './visitor-logout.entity.ts'
import { VisitorSessionEntity, type VisitorSessionRow } from './visitor-session.entity.ts'
import { VisitorSignInEntity } from './visitor-sign-in.entity.ts'

/** A session that a token opens on a site; undefined for one that has ended. */
export async function find(
  db: Db,
  { siteId, token }: { siteId: string; token: string },
): Promise<VisitorSessionRow | undefined> {
  const where = { tokenHash: hashToken(token), siteId, expiresAt: MoreThan(new Date()) }
  return (await db.findOneBy(VisitorSessionEntity, where)) ?? undefined
}

/** Begins a session. */
export async function insert(db: Db, row: VisitorSessionRow): Promise<void> {
  await db.insert(VisitorSessionEntity, row)
}

/** Ends the session that a token opens on a site. */
export async function end(db: Db, { siteId, token }: { siteId: string; token: string }): Promise<void> {
  await db.delete(VisitorSessionEntity, { tokenHash: hashToken(token), siteId })
}

/** Ends all sessions on a site. */
export async function endAll(db: Db, siteId: string): Promise<void> {
  await db.delete(VisitorSessionEntity, { siteId })
}

/** The sessions that a provider ends: those of a session of its own, else those of a user that began before. */
interface Logout {
  siteId: string
  /** Hashes. */
  providerSession?: string
  subject?: string
  issuedAt: Date
}

/** Ends the sessions on a site that a logout of its provider names, and those that are being signed in. */
export async function logOut(db: Db, { siteId, providerSession, subject, issuedAt }: Logout): Promise<void> {
  const scope = providerSession === undefined ? { subject: subject ?? '' } : { providerSession }
  const ended = providerSession ?? subject ?? ''
  await db
    .createQueryBuilder()
    .insert()
    .into(VisitorLogoutEntity)
    .values({ siteId, ended, issuedAt })
    .orUpdate(['issued_at'], ['site_id', 'ended'], {
      overwriteCondition: { where: 'visitor_logouts.issued_at < excluded.issued_at' },
    })
    .execute()
  await db.delete(VisitorSessionEntity, { siteId, ...scope, startedAt: LessThanOrEqual(issuedAt) })
}

/** Whether a logout has ended what signs in now: its session at the provider, or its user since. */
export async function isLoggedOut(
  db: Db,
  { siteId, subject, providerSession, startedAt }: Omit<VisitorSessionRow, 'tokenHash' | 'content' | 'expiresAt'>,
): Promise<boolean> {
  const ended = [subject, ...(providerSession === null ? [] : [providerSession])]
  const logouts = await db.findBy(VisitorLogoutEntity, { siteId, ended: In(ended) })
  return logouts.some(({ issuedAt }) => issuedAt >= startedAt)
}

/** Marks a sign-in as completed; false for one that was before. */
export async function useSignIn(
  db: Db,
  { siteId, stateHash }: { siteId: string; stateHash: string },
): Promise<boolean> {
  const row = { stateHash, siteId, usedAt: new Date() }
  const { raw } = await db
    .createQueryBuilder()
    .insert()
    .into(VisitorSignInEntity)
    .values(row)
    .orIgnore()
    .returning('state_hash')
    .execute()
  return Array.isArray(raw) && raw.length === 1
}

/** Forgets sessions that have expired, and what was completed or logged out before a time. */
export async function forget(db: Db, before: Date): Promise<void> {
  await db.delete(VisitorSessionEntity, { expiresAt: LessThan(new Date()) })
  await db.delete(VisitorSignInEntity, { usedAt: LessThan(before) })
  await db.delete(VisitorLogoutEntity, { issuedAt: LessThan(before) })
}
