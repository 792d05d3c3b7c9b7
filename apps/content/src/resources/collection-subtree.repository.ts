import { query, type Db } from '@recto/database'
import type { ResourceType } from '../access/grant.entity.ts'
import { CollectionEntity } from './collection.entity.ts'
import { SpaceEntity } from './space.entity.ts'

/** The entity of each type of resource. */
export const resourceEntities = { space: SpaceEntity, collection: CollectionEntity } satisfies Record<
  ResourceType,
  unknown
>

/**
 * Serializes moves, deletions and transfers of the collections of an organization until the transaction ends: two concurrent moves
 * could create a cycle.
 */
export async function lockTree(db: Db, organization: string): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [`tree ${organization}`])
}

/**
 * Locks a collection and all collections below it until the transaction ends, so that nothing is put into them, and returns their
 * ids. Reads again until no collection was added during the wait.
 */
export async function lockSubtree(db: Db, collection: string): Promise<string[]> {
  for (let known: string[] = []; ;) {
    const found = await lockSubtreeOnce(db, collection)
    if (found.length === known.length) return found
    known = found
  }
}

/** An expression of `with recursive`: `subtree` has a collection and all collections below it (`id`, `organization_id`). */
export function subtreeCte(collection: string): string {
  return `subtree as (
    select id, organization_id from collections where id = ${collection}
    union all select c.id, c.organization_id from subtree join collections c on c.organization_id = subtree.organization_id and c.parent = subtree.id
  )`
}

async function lockSubtreeOnce(db: Db, collection: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `with recursive ${subtreeCte('$1')} select id from collections where id in (select id from subtree) order by id for update`,
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
export async function updatePlacement(
  db: Db,
  type: ResourceType,
  { id, parent, position }: Placement & { id: string },
): Promise<void> {
  await db.update(resourceEntities[type], { id }, { parent, position, updatedAt: () => 'now()' })
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
