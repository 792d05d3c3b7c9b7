import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import type { Viewer } from '../../access/access.policy.ts'
import { asking, rolesInside, valuesOf } from '../../access/roles.sql.ts'
import { placedReader } from '../../access/acl-reader.repository.ts'
import { CollectionEntity, type CollectionRow, type PlacedCollection } from './collection.entity.ts'

const columns = columnsOf(CollectionEntity, 'collections')

/** A collection with what the actor was granted on it and above it. */
export const findFor = placedReader<CollectionRow>('collection', columns)

/** The same, kept from being changed until the transaction ends, and read after the wait for that; `share` lets others keep it so too. */
export async function lockFor(
  db: Db,
  id: string,
  { actor, mode = 'update' }: { actor: Actor; mode?: 'update' | 'share' },
): Promise<PlacedCollection | undefined> {
  await db.findOne(CollectionEntity, {
    where: { id },
    lock: { mode: mode === 'share' ? 'pessimistic_read' : 'pessimistic_write' },
  })
  return findFor(db, id, actor)
}

/** Reads a collection and keeps it from being changed until the transaction ends. */
export async function lock(db: Db, id: string): Promise<CollectionRow | undefined> {
  const collection = await db.findOne(CollectionEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return collection ?? undefined
}

export async function insert(db: Db, collection: CollectionRow): Promise<void> {
  await db.insert(CollectionEntity, collection)
}

/** What a change writes. */
export type CollectionChanges = Partial<Pick<CollectionRow, 'title' | 'description' | 'defaultLevel' | 'updatedAt'>>

export async function change(db: Db, id: string, changes: CollectionChanges): Promise<void> {
  await db.update(CollectionEntity, { id }, changes)
}

/** A collection with the role on it, and on the one it is in, of who lists it. */
export type ListedCollection = CollectionRow & { role: Role; parentRole: Role | null }

/** Collections of an organization that a member or guest sees; not nested are those that they see without a parent. */
export async function listSeen(
  db: Db,
  viewer: Viewer & { nested: boolean },
  request: ListRequest,
): Promise<ListPage<ListedCollection>> {
  const source = {
    sql: `with recursive ${rolesInside(asking)}
      select ${columns}, inside.role, upper.role as "parentRole"
      from collections join inside on inside.id = collections.id left join inside upper on upper.id = collections.parent
      where collections.deleted_at is null and inside.role is not null ${viewer.nested ? '' : 'and upper.role is null'}`,
    values: valuesOf(viewer),
    ...newestFirst,
  }
  return listPage<ListedCollection>(db, source, request)
}
