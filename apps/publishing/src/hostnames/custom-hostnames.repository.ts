import { randomBytes } from 'node:crypto'
import type { Db } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { createId } from '@recto/operation'
import { In, Not } from 'typeorm'
import { CustomHostnameEntity, type CustomHostnameRow } from './custom-hostname.entity.ts'

/** Milliseconds that a check takes at most. */
export const checkLease = 60_000

/** Claims as jobs: one is due at its time, and the end of a lease is the next time of another replica. */
export const claimJobs: JobTable<CustomHostnameRow> = {
  entity: CustomHostnameEntity,
  key: 'id',
  isTaken: 'false',
  maxAttempts: Infinity,
  open: 'job.due_at is not null',
  due: 'job.due_at',
  attemptsOf: () => 0,
  take: (_claim, now) => ({ dueAt: new Date(now.getTime() + checkLease) }),
  keep: now => ({ dueAt: new Date(now.getTime() + checkLease) }),
  release: (_claim, { now }) => ({ dueAt: now }),
  heldBy: ({ id, dueAt }) => (dueAt === null ? { id } : { id, dueAt }),
}

/** All claims to a hostname, the oldest first. */
export async function claimsTo(db: Db, hostname: string): Promise<CustomHostnameRow[]> {
  return db.find(CustomHostnameEntity, { where: { hostname }, order: { createdAt: 'asc' } })
}

/** The claims of a site. */
export async function claimsOf(db: Db, siteId: string): Promise<CustomHostnameRow[]> {
  return db.findBy(CustomHostnameEntity, { siteId })
}

type NewClaim = Pick<CustomHostnameRow, 'hostname' | 'organizationId' | 'siteId' | 'state'>

/** Writes a claim; one that has to be proven is due at once. */
export async function insert(db: Db, claim: NewClaim): Promise<void> {
  const now = new Date()
  await db.insert(CustomHostnameEntity, {
    ...claim,
    id: createId(),
    token: randomBytes(24).toString('base64url'),
    fault: null,
    failingSince: null,
    checkedAt: null,
    dueAt: claim.state === 'pending' ? now : null,
    createdAt: now,
  })
}

/** Changes a claim. */
export async function update(db: Db, id: string, changes: Partial<CustomHostnameRow>): Promise<void> {
  await db.update(CustomHostnameEntity, { id }, changes)
}

/** Ends the claims of a site, but for those to some hostnames. */
export async function removeOthers(db: Db, siteId: string, excepted: readonly string[]): Promise<void> {
  await db.delete(CustomHostnameEntity, { siteId, hostname: Not(In([...excepted])) })
}

/** Ends a claim. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(CustomHostnameEntity, { id })
}
