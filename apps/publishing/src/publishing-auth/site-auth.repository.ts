import type { Secrets } from '@recto/operation'
import type { Db, Transaction } from '@recto/database'
import { In } from 'typeorm'
import { newSiteKey, siteKeys } from './keys.ts'
import { SiteAuthEntity, type SiteAuthRow } from './site-auth.entity.ts'

/** Milliseconds for which the previous key stays valid after a rotation: login servers are given the new one meanwhile. */
export const keyOverlap = 24 * 60 * 60 * 1000

/** How the visitors of a site are authenticated; undefined for a site whose key nobody has asked for. */
export async function find(db: Db, siteId: string): Promise<SiteAuthRow | undefined> {
  return (await db.findOneBy(SiteAuthEntity, { siteId })) ?? undefined
}

/** How the visitors of these sites are authenticated. */
export async function findAll(db: Db, siteIds: readonly string[]): Promise<SiteAuthRow[]> {
  return siteIds.length === 0 ? [] : db.findBy(SiteAuthEntity, { siteId: In([...siteIds]) })
}

/** As `find`; creates a key at first use, which is a change of the site. Two that do so at once get the same one. */
export async function ensure(db: Transaction, siteId: string, secret: Secrets): Promise<SiteAuthRow> {
  const storedRow = await find(db, siteId)
  if (storedRow) return storedRow
  const privateKey = siteKeys.seal(newSiteKey(), siteId, secret)
  const row = { siteId, privateKey, previousKey: null, previousUntil: null, fallbackUrl: null, logoutUrl: null }
  await db.createQueryBuilder().insert().into(SiteAuthEntity).values(row).orIgnore().execute()
  return db.findOneByOrFail(SiteAuthEntity, { siteId })
}

/** Ids of the sites that have a key. */
export async function listSites(db: Db): Promise<string[]> {
  const rows = await db.find(SiteAuthEntity, { select: { siteId: true } })
  return rows.map(({ siteId }) => siteId)
}

/** As `find`, and locks it until the transaction ends. */
export async function lock(db: Db, siteId: string): Promise<SiteAuthRow | undefined> {
  const row = await db.findOne(SiteAuthEntity, { where: { siteId }, lock: { mode: 'pessimistic_write' } })
  return row ?? undefined
}

/** Changes how the visitors of a site are authenticated. */
export async function update(db: Db, siteId: string, changes: Partial<SiteAuthRow>): Promise<void> {
  await db.update(SiteAuthEntity, { siteId }, changes)
}

/** The keys with which logins are valid now: the current one, and the previous one during the overlap. */
export function keysOf(row: SiteAuthRow, { secret, now }: { secret: Secrets; now: Date }): string[] {
  const sealed = [row.privateKey, ...(row.previousKey && isInOverlap(row, now) ? [row.previousKey] : [])]
  return sealed.map(key => siteKeys.unseal(key, row.siteId, secret))
}

/** Tells whether the previous key is still valid. */
export function isInOverlap({ previousKey, previousUntil }: SiteAuthRow, now: Date): boolean {
  return previousKey !== null && previousUntil !== null && previousUntil > now
}

/**
 * The keys of a site after a rotation. The current key becomes the previous one, unless it is revoked; what was the previous key ends at
 * once, so that never more than two are valid.
 */
export function rotated(
  { siteId, privateKey }: SiteAuthRow,
  { secret, now, revoke }: { secret: Secrets; now: Date; revoke: boolean },
): Pick<SiteAuthRow, 'privateKey' | 'previousKey' | 'previousUntil'> {
  return {
    privateKey: siteKeys.seal(newSiteKey(), siteId, secret),
    previousKey: revoke ? null : privateKey,
    previousUntil: revoke ? null : new Date(now.getTime() + keyOverlap),
  }
}
