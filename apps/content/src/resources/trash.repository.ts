import { columnsOf, query, type Db } from '@recto/database'
import { Any, IsNull, Not } from 'typeorm'
import type { DefaultLevel } from '../access/access.policy.ts'
import { CollectionEntity } from './collection.entity.ts'
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

/** Marks collections and the spaces in them as deleted, and returns the spaces that were not deleted before. */
export async function markCollectionsDeleted(db: Db, collections: string[], at: Date): Promise<string[]> {
  const changes = { deletedAt: at, updatedAt: at }
  await db.update(CollectionEntity, { id: Any(collections), deletedAt: IsNull() }, changes)
  const { raw } = await db.update(SpaceEntity, { parent: Any(collections), deletedAt: IsNull() }, changes, {
    returning: 'id',
  })
  return (raw as { id: string }[]).map(({ id }) => id)
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
export interface Deleted {
  id: string
  organizationId: string
  deletedAt: Date | null
}

const spaceColumns = columnsOf(SpaceEntity, 'spaces', ['id', 'organizationId', 'deletedAt'])
const collectionColumns = columnsOf(CollectionEntity, 'collections', ['id', 'organizationId', 'deletedAt'])

/** Locks spaces that were deleted before a time until the transaction ends, without those that are in use or locked by others. */
export async function lockDeletedSpaces(
  db: Db,
  { before, limit, inUse }: { before: Date; limit: number; inUse: string[] },
): Promise<Deleted[]> {
  return query<Deleted>(
    db,
    `select ${spaceColumns} from spaces where deleted_at < $1 and id <> all($3)
     order by deleted_at, id limit $2 for update skip locked`,
    [before, limit, inUse],
  )
}

/** Deletes the rows of spaces; what references them by a foreign key is deleted with them. */
export async function deleteSpaceRows(db: Db, ids: string[]): Promise<void> {
  await db.delete(SpaceEntity, { id: Any(ids) })
}

/** Locks collections that were deleted before a time and are empty now, until the transaction ends. */
export async function lockEmptyCollections(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<Deleted[]> {
  return query<Deleted>(
    db,
    `select ${collectionColumns} from collections where deleted_at < $1
       and not exists (select from spaces where spaces.organization_id = collections.organization_id and spaces.parent = collections.id)
       and not exists (select from collections nested where nested.organization_id = collections.organization_id and nested.parent = collections.id)
     order by deleted_at, id limit $2 for update skip locked`,
    [before, limit],
  )
}

/** Deletes the rows of collections. */
export async function deleteCollectionRows(db: Db, ids: string[]): Promise<void> {
  await db.delete(CollectionEntity, { id: Any(ids) })
}
