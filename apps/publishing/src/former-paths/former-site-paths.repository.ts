import { query, type Db } from '@recto/database'
import { In, LessThanOrEqual } from 'typeorm'
import { FormerSitePathEntity, type FormerSitePathRow } from './former-site-path.entity.ts'
import type { FormerSitePath } from './former-site-paths.rules.ts'

/** Paths that are kept of a site; the oldest go first. */
const maxPaths = 2_000

/** Writes paths that sections and spaces of a site have no more, and forgets the oldest when there are too many. */
export async function save(db: Db, siteId: string, paths: readonly FormerSitePath[]): Promise<void> {
  if (paths.length === 0) return
  const droppedAt = new Date()
  // Of several with one path, which a site has had in different sections, the last one counts.
  const rows = new Map(paths.map(path => [path.path, { ...path, siteId, droppedAt }]))
  await db.upsert(FormerSitePathEntity, [...rows.values()], ['siteId', 'path'])
  const [oldest] = await query<{ droppedAt: Date }>(
    db,
    `select dropped_at as "droppedAt" from site_former_paths where site_id = $1 order by dropped_at desc offset ${maxPaths} limit 1`,
    [siteId],
  )
  if (oldest) await db.delete(FormerSitePathEntity, { siteId, droppedAt: LessThanOrEqual(oldest.droppedAt) })
}

/** Finds the former holders of paths of a site. */
export async function find(db: Db, siteId: string, paths: readonly string[]): Promise<FormerSitePathRow[]> {
  return db.findBy(FormerSitePathEntity, { siteId, path: In([...paths]) })
}
