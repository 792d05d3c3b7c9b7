import { query, type Db } from '@recto/database'
import { Any, IsNull } from 'typeorm'
import type { DefaultLevel } from '../../access/access.policy.ts'
import { CollectionEntity } from '../collections/collection.entity.ts'
import { SpaceEntity } from '../spaces/space.entity.ts'

/** The tables of things that lie beside each other. */
export const siblingEntities = { spaces: SpaceEntity, collections: CollectionEntity }
export type SiblingTable = keyof typeof siblingEntities

/** Makes everybody wait who moves, deletes or gives away collections of the organization, until the transaction ends: two moves at once could make a circle. */
export async function lockTree(db: Db, organization: string): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [`tree ${organization}`])
}

/** Marks a space as deleted. */
export async function markSpaceDeleted(db: Db, id: string, at: Date): Promise<void> {
  await db.update(SpaceEntity, { id }, { deletedAt: at, updatedAt: at })
}

/**
 * A collection and all collections below it, kept from being changed until the transaction ends, with what is put into them:
 * read again until there is nothing that was made while this waited.
 */
export async function lockSubtree(db: Db, collection: string): Promise<string[]> {
  for (let known: string[] = []; ;) {
    const found = await lockBelow(db, collection)
    if (found.length === known.length) return found
    known = found
  }
}

/** Expression of `with recursive`: a collection and all collections below it. */
export function below(collection: string): string {
  return `below as (
    select id, organization_id from collections where id = ${collection}
    union all select c.id, c.organization_id from below join collections c on c.organization_id = below.organization_id and c.parent = below.id
  )`
}

async function lockBelow(db: Db, collection: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `with recursive ${below('$1')} select id from collections where id in (select id from below) order by id for update`,
    [collection],
  )
  return rows.map(({ id }) => id)
}

/** Marks collections as deleted, and the spaces in them; gives the spaces that were not deleted before. */
export async function markCollectionsDeleted(db: Db, collections: string[], at: Date): Promise<string[]> {
  const changes = { deletedAt: at, updatedAt: at }
  await db.update(CollectionEntity, { id: Any(collections), deletedAt: IsNull() }, changes)
  const { raw } = await db.update(SpaceEntity, { parent: Any(collections), deletedAt: IsNull() }, changes, {
    returning: 'id',
  })
  return (raw as { id: string }[]).map(({ id }) => id)
}

/** Keeps a collection from being deleted until the transaction ends; false when it is deleted, or gone. */
export async function holdCollection(db: Db, collection: string): Promise<boolean> {
  await db.findOne(CollectionEntity, { where: { id: collection }, lock: { mode: 'pessimistic_read' } })
  return db.existsBy(CollectionEntity, { id: collection, deletedAt: IsNull() })
}

/** Where something is put. */
export interface Placement {
  parent: string | null
  position: string
}

/** Puts a space back, not deleted, with what everybody may do with it there. */
export async function restoreSpace(
  db: Db,
  id: string,
  { parent, position, defaultLevel }: Placement & { defaultLevel: DefaultLevel },
): Promise<void> {
  await db.update(SpaceEntity, { id }, { deletedAt: null, updatedAt: () => 'now()', parent, position, defaultLevel })
}

/** Moves a space or collection: one row is written, whatever lies around it. */
export async function place(
  db: Db,
  table: SiblingTable,
  { id, parent, position }: Placement & { id: string },
): Promise<void> {
  await db.update(siblingEntities[table], { id }, { parent, position, updatedAt: () => 'now()' })
}

/** Whether a collection is another, or lies in it. */
export async function isWithin(db: Db, collection: string, other: string): Promise<boolean> {
  const [row] = await query<{ within: boolean }>(
    db,
    `with recursive up as (
       select id, parent from collections where id = $1
       union all select c.id, c.parent from up join collections c on c.id = up.parent
     )
     select exists (select from up where id = $2) as within`,
    [collection, other],
  )
  return row?.within ?? false
}
