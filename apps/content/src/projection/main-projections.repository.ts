import { query, type Db } from '@recto/database'
import { In } from 'typeorm'
import { MainProjectionEntity, type MainProjectionRow } from './main-projection.entity.ts'

/** Locks the projection of a space until the transaction ends; creates it when there is none. */
export async function lockProjection(db: Db, spaceId: string): Promise<MainProjectionRow> {
  await db.createQueryBuilder().insert().into(MainProjectionEntity).values({ spaceId }).orIgnore().execute()
  return db.findOneOrFail(MainProjectionEntity, { where: { spaceId }, lock: { mode: 'pessimistic_write' } })
}

/** Records the revision that the projections of a space show. */
export async function saveProjection(
  db: Db,
  { spaceId, ...fields }: Pick<MainProjectionRow, 'spaceId' | 'revision' | 'hasConditions'>,
): Promise<void> {
  await db.update(MainProjectionEntity, { spaceId }, fields)
}

/** Records that nothing of a space is projected. */
export async function resetProjection(db: Db, spaceId: string): Promise<void> {
  await db.update(MainProjectionEntity, { spaceId }, { revision: null })
}

/** Records the revision up to which the former paths of a space are recorded. */
export async function saveRecordedPaths(db: Db, spaceId: string, pathsRevision: string): Promise<void> {
  await db.update(MainProjectionEntity, { spaceId }, { pathsRevision })
}

/** Finds the projections of spaces. */
export async function findProjections(db: Db, spaceIds: readonly string[]): Promise<MainProjectionRow[]> {
  return db.findBy(MainProjectionEntity, { spaceId: In([...spaceIds]) })
}

/** Deletes the row of a space. */
export async function deleteProjection(db: Db, spaceId: string): Promise<void> {
  await db.delete(MainProjectionEntity, { spaceId })
}

/** The id of the revision that the projections of a space show; undefined when nothing has been projected. */
export async function projectedRevision(db: Db, spaceId: string): Promise<string | undefined> {
  const row = await db.findOne(MainProjectionEntity, { where: { spaceId } })
  return row?.revision ?? undefined
}

/** Finds the spaces whose projections do not show their given revision, or whose former paths are not recorded up to it. */
export async function findStale(db: Db, spaces: { id: string; revision: string }[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select space.id from unnest($1::text[], $2::text[]) as space (id, revision)
     where not exists (
       select from main_projections shown
       where shown.space_id = space.id and shown.revision = space.revision and shown.paths_revision = space.revision)`,
    [spaces.map(({ id }) => id), spaces.map(({ revision }) => revision)],
  )
  return rows.map(({ id }) => id)
}
