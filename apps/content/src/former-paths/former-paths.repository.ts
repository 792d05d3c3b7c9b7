import { query, type Db } from '@recto/database'
import { In, LessThanOrEqual } from 'typeorm'
import { FormerPathEntity, type FormerPathRow } from './former-path.entity.ts'
import { batches } from '../lists/batches.ts'

/** Paths that are kept of a space; the oldest go first. */
const maxPaths = 50_000
/** Rows that one statement writes: each has a placeholder for every value. */
const batch = 1_000

/** Writes paths that pages have no more. */
export async function save(db: Db, rows: FormerPathRow[]): Promise<void> {
  for (const some of batches(rows, batch)) await db.upsert(FormerPathEntity, some, ['spaceId', 'path'])
}

/** Forgets the oldest paths of a space that has too many. */
export async function trim(db: Db, spaceId: string): Promise<void> {
  const [oldest] = await query<{ mainNumber: number }>(
    db,
    `select main_number as "mainNumber" from former_paths where space_id = $1 order by main_number desc offset ${maxPaths} limit 1`,
    [spaceId],
  )
  if (oldest) await db.delete(FormerPathEntity, { spaceId, mainNumber: LessThanOrEqual(oldest.mainNumber) })
}

/** The pages of spaces that had these paths, which are keys. */
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
