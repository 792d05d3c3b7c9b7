import { columnsOf, query, type Db } from '@recto/database'
import { Any, IsNull, Not } from 'typeorm'
import type { DefaultLevel } from '../access/access.policy.ts'
import type { ResourceType } from '../access/grant.entity.ts'
import { CollectionEntity } from './collection.entity.ts'
import { ResourceEntity, type ResourceKey, type ResourceRow } from './resource.entity.ts'
import { SpaceEntity } from './space.entity.ts'
import type { Placement } from './collection-subtree.repository.ts'

/** Marks a space as deleted. */
export async function markSpaceDeleted(db: Db, id: string, at: Date): Promise<void> {
  await db.update(SpaceEntity, { id }, { deletedAt: at, updatedAt: at })
}

/** Ends the restore period of deleted spaces; resolves to the number of those that were deleted. */
export async function endRestorePeriod(db: Db, ids: string[], deletedAt: Date): Promise<number> {
  const { affected } = await db.update(SpaceEntity, { id: Any(ids), deletedAt: Not(IsNull()) }, { deletedAt })
  return affected ?? 0
}

/** Marks collections and all that is directly in them as deleted, and returns the spaces that were not deleted before. */
export async function markCollectionsDeleted(
  db: Db,
  { organizationId, collections }: { organizationId: string; collections: string[] },
  at: Date,
): Promise<string[]> {
  const present = { organizationId, deletedAt: IsNull() }
  const { raw } = await db.update(
    ResourceEntity,
    [
      { ...present, id: Any(collections) },
      { ...present, parent: Any(collections) },
    ],
    { deletedAt: at, updatedAt: at },
    { returning: ['type', 'id'] },
  )
  return (raw as ResourceKey[]).flatMap(({ type, id }) => (type === 'space' ? [id] : []))
}

/** Locks a collection against deletion until the transaction ends; false when it is deleted or missing. */
export async function lockExistingCollection(db: Db, collection: string): Promise<boolean> {
  await db.findOne(CollectionEntity, { where: { id: collection }, lock: { mode: 'pessimistic_read' } })
  return db.existsBy(CollectionEntity, { id: collection, deletedAt: IsNull() })
}

/** Restores a space at a placement, with this default level. */
export async function markSpaceRestored(
  db: Db,
  id: string,
  { parent, position, defaultLevel }: Placement & { defaultLevel: DefaultLevel },
): Promise<void> {
  await db.update(SpaceEntity, { id }, { deletedAt: null, updatedAt: () => 'now()', parent, position, defaultLevel })
}

/** A deleted space or collection. */
export type Deleted = Pick<ResourceRow, 'id' | 'organizationId' | 'deletedAt'>

const deletedColumns = columnsOf(ResourceEntity, 'resources', ['id', 'organizationId', 'deletedAt'])

/**
 * Locks resources of a type that were deleted before a time until the transaction ends; skips those that contain others, are in use or
 * are locked.
 */
export async function lockDeleted(
  db: Db,
  type: ResourceType,
  { before, limit, inUse = [] }: { before: Date; limit: number; inUse?: string[] },
): Promise<Deleted[]> {
  return query<Deleted>(
    db,
    `select ${deletedColumns} from resources where type = $1 and deleted_at < $2 and id <> all($3)
       and not exists (select from resources inside where inside.organization_id = resources.organization_id and inside.parent = resources.id)
     order by deleted_at, id limit $4 for update skip locked`,
    [type, before, inUse, limit],
  )
}

/** Deletes the rows of resources of a type, and with them the rows that reference them by a foreign key. */
export async function deleteRows(db: Db, type: ResourceType, ids: string[]): Promise<void> {
  await db.delete(ResourceEntity, { type, id: Any(ids) })
}
