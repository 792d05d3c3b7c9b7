import { query, type Db } from '@recto/database'
import { In, LessThanOrEqual } from 'typeorm'
import { FormerPathEntity, type FormerPathRow } from './former-path.entity.ts'
import { batches } from '../lists/batches.ts'

/** Largest number of stored paths of a space; the oldest are deleted first. */
const maxPaths = 50_000
/** Rows written in one statement, which has a placeholder for every value. */
const batchSize = 1_000

/** Saves paths that pages no longer have. */
export async function save(db: Db, rows: FormerPathRow[]): Promise<void> {
  for (const batch of batches(rows, batchSize)) await db.upsert(FormerPathEntity, batch, ['spaceId', 'path'])
}

/** Deletes the oldest paths of a space that has too many. */
export async function trim(db: Db, spaceId: string): Promise<void> {
  const [oldest] = await query<{ mainNumber: number }>(
    db,
    `select main_number as "mainNumber" from former_paths where space_id = $1 order by main_number desc offset ${maxPaths} limit 1`,
    [spaceId],
  )
  if (oldest) await db.delete(FormerPathEntity, { spaceId, mainNumber: LessThanOrEqual(oldest.mainNumber) })
}

/** Finds the former paths of spaces by their keys, with their pages. */
export async function find(db: Db, places: readonly { spaceId: string; path: string }[]): Promise<FormerPathRow[]> {
  if (places.length === 0) return []
  return db.find(FormerPathEntity, {
    where: { spaceId: In(places.map(({ spaceId }) => spaceId)), path: In(places.map(({ path }) => path)) },
  })
}

/** Deletes all paths of a space. */
export async function deleteSpace(db: Db, spaceId: string): Promise<void> {
  await db.delete(FormerPathEntity, { spaceId })
}
