import { query, type Db } from '@recto/database'
import { MainProjectionEntity, type MainProjectionRow } from './main-projection.entity.ts'

/** Locks the projection of a space until the transaction ends, and creates it at first. */
export async function lockProjection(db: Db, spaceId: string): Promise<MainProjectionRow> {
  await query(db, `insert into main_projections (space_id) values ($1) on conflict do nothing`, [spaceId])
  return db.findOneOrFail(MainProjectionEntity, { where: { spaceId }, lock: { mode: 'pessimistic_write' } })
}

/** Records the revision that the projections of a space show. */
export async function saveProjection(db: Db, { spaceId, revision }: MainProjectionRow): Promise<void> {
  await db.update(MainProjectionEntity, { spaceId }, { revision })
}

/** Of these spaces, the revision that the projections of each show. */
export async function projectedRevisions(db: Db, spaces: string[]): Promise<Map<string, string | null>> {
  const rows = await query<MainProjectionRow>(
    db,
    `select space_id as "spaceId", revision from main_projections where space_id = any($1)`,
    [spaces],
  )
  return new Map(rows.map(({ spaceId, revision }) => [spaceId, revision]))
}
