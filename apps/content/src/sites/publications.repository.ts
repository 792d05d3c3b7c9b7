import type { Db } from '@recto/database'
import { In } from 'typeorm'
import * as spaces from '../resources/spaces.repository.ts'
import { mostPublic } from './publication.rules.ts'
import { SitePublicationEntity, SiteStateEntity, type SitePublicationRow } from './site-publication.entity.ts'

/** The spaces that a site shows, with the version of the site; a site that is not published shows nothing. */
export interface SitePublications {
  site: string
  version: number
  spaces: SitePublicationRow[]
}

/** Records the spaces that a site shows, and updates their publications; a version below the recorded one changes nothing. */
export async function replacePublications(db: Db, { site, version, spaces: rows }: SitePublications): Promise<void> {
  if (!(await lockAndAdvanceVersion(db, site, version))) return
  const before = await db.findBy(SitePublicationEntity, { siteId: site })
  const concerned = [...new Set([...before, ...rows].map(({ spaceId }) => spaceId))].sort()
  await spaces.lockAll(db, concerned)
  await db.delete(SitePublicationEntity, { siteId: site })
  if (rows.length > 0) await db.insert(SitePublicationEntity, rows)
  await refreshSpaces(db, concerned)
}

/** The publication of a space on a site; null while the site does not show it or is not published. */
export async function findPublication(db: Db, siteId: string, spaceId: string): Promise<SitePublicationRow | null> {
  return db.findOneBy(SitePublicationEntity, { siteId, spaceId })
}

/** The sites that show each of some spaces, by space. */
export async function sitesOfSpaces(db: Db, spaceIds: string[]): Promise<Map<string, string[]>> {
  const rows = spaceIds.length === 0 ? [] : await db.findBy(SitePublicationEntity, { spaceId: In(spaceIds) })
  const sites = new Map<string, string[]>()
  for (const { spaceId, siteId } of rows) sites.set(spaceId, [...(sites.get(spaceId) ?? []), siteId])
  return sites
}

/** The publications of the spaces of a site, by space. */
export async function publicationsOfSite(db: Db, siteId: string): Promise<Map<string, SitePublicationRow>> {
  const rows = await db.findBy(SitePublicationEntity, { siteId })
  return new Map(rows.map(row => [row.spaceId, row]))
}

/**
 * Locks the state of a site until the transaction ends, creating it if missing, and records the version; false when the version is not
 * above the recorded one.
 */
async function lockAndAdvanceVersion(db: Db, siteId: string, version: number): Promise<boolean> {
  await db.createQueryBuilder().insert().into(SiteStateEntity).values({ siteId, version: -1 }).orIgnore().execute()
  const state = await db.findOneOrFail(SiteStateEntity, { where: { siteId }, lock: { mode: 'pessimistic_write' } })
  if (state.version >= version) return false
  await db.update(SiteStateEntity, { siteId }, { version })
  return true
}

async function refreshSpaces(db: Db, ids: string[]): Promise<void> {
  const all = await db.find(SitePublicationEntity, { where: { spaceId: In(ids) }, order: { siteId: 'ASC' } })
  for (const id of ids) {
    const best = mostPublic(all.filter(({ spaceId }) => spaceId === id))
    const publication = best && { visibility: best.visibility, url: best.url }
    await spaces.setPublication(db, id, publication)
  }
}
