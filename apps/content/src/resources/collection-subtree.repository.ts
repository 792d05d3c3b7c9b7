import { query, type Db } from '@recto/database'
import { ResourceEntity, type ResourceKey } from './resource.entity.ts'

/**
 * Serializes moves, deletions and transfers of the collections of an organization until the transaction ends: two concurrent moves
 * could create a cycle.
 */
export async function lockTree(db: Db, organization: string): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [`tree ${organization}`])
}

/**
 * Locks a collection and all collections below it until the transaction ends, so that nothing is added to them, and returns their
 * ids. Repeats the read until no collection was added during the wait.
 */
export async function lockSubtree(db: Db, collection: string): Promise<string[]> {
  for (let previousIds: string[] = []; ;) {
    const ids = await lockSubtreeOnce(db, collection)
    if (ids.length === previousIds.length) return ids
    previousIds = ids
  }
}

async function lockSubtreeOnce(db: Db, collection: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `with recursive subtree as (
       select id, organization_id from collections where id = $1
       union all select c.id, c.organization_id from subtree join collections c on c.organization_id = subtree.organization_id and c.parent = subtree.id
     )
     select id from collections where id in (select id from subtree) order by id for update`,
    [collection],
  )
  return rows.map(({ id }) => id)
}

/** A parent, or null for the root, and a position among the siblings there. */
export interface Placement {
  parent: string | null
  position: string
}

/** Writes the parent and the position of a resource: its own row only. */
export async function updatePlacement(db: Db, { type, id }: ResourceKey, place: Placement): Promise<void> {
  await db.update(ResourceEntity, { type, id }, { ...place, updatedAt: () => 'now()' })
}

/** Whether a collection is another one or lies below it. */
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
