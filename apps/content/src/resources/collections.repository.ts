import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  newestFirst,
  prepared,
  query,
} from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import type { Viewer } from '../access/access.policy.ts'
import { grantsToActor } from '../access/grants.sql.ts'
import { callerParameters, callerValues } from '../access/roles.sql.ts'
import { aclReader, type RowWithGrants } from './acl-reader.repository.ts'
import { collectionRolesCte, shownRole } from './collection-roles.sql.ts'
import { CollectionEntity, type CollectionRow, type CollectionWithAcl } from './collection.entity.ts'

const columns = columnsOf(CollectionEntity, 'collections')

/** Reads a collection with the grants of the actor on it and above it. */
export const findWithAcl = aclReader(
  prepared<RowWithGrants<CollectionRow>>(
    'collection-with-acl',
    `select ${columns}, ${grantsToActor('collection', 'collections.id')} as grants from collections where id = $1`,
  ),
)

/**
 * Locks a collection until the transaction ends and reads it after the wait; with `share`, others can hold the same lock and
 * nobody can change it.
 */
export async function lockWithAcl(
  db: Db,
  id: string,
  { actor, mode = 'update' }: { actor: Actor; mode?: 'update' | 'share' },
): Promise<CollectionWithAcl | undefined> {
  await db.findOne(CollectionEntity, {
    where: { id },
    lock: { mode: mode === 'share' ? 'pessimistic_read' : 'pessimistic_write' },
  })
  return findWithAcl(db, id, actor)
}

/** Reads a collection and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<CollectionRow | undefined> {
  const collection = await db.findOne(CollectionEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return collection ?? undefined
}

/** Writes a new collection. */
export async function insert(db: Db, collection: CollectionRow): Promise<void> {
  await db.insert(CollectionEntity, collection)
}

/** The settings of a collection. */
export type CollectionSettings = Pick<CollectionRow, 'title' | 'description' | 'defaultLevel'>

/** Changes the settings of a collection. */
export async function update(db: Db, id: string, changes: Partial<CollectionSettings>): Promise<void> {
  await db.update(CollectionEntity, { id }, { ...changes, updatedAt: new Date() })
}

/** A collection with the role of the viewer on it and on its parent. */
export type ListedCollection = CollectionRow & { role: Role; parentRole: Role | null }

/**
 * Collections of an organization that a member or guest can read. Without `nested`, only those without a parent that they can read.
 */
export async function listReadable(
  db: Db,
  viewer: Viewer & { nested: boolean },
  request: ListRequest,
): Promise<ListPage<ListedCollection>> {
  const source = {
    sql: `with recursive ${collectionRolesCte(callerParameters)}
      select ${columns}, collection_role.role, ${shownRole('upper')} as "parentRole"
      from collections join collection_role on collection_role.id = collections.id left join collection_role upper on upper.id = collections.parent
      where collections.deleted_at is null and collection_role.role is not null and collection_role.covered
        ${viewer.nested ? '' : `and ${shownRole('upper')} is null`}`,
    values: callerValues(viewer),
    ...newestFirst,
  }
  return listPage<ListedCollection>(db, source, request)
}

/** Those of these collections of an organization that a viewer can read, with their role. */
export async function findReadable(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ id: string; role: Role }[]> {
  return query<{ id: string; role: Role }>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select collections.id, collection_role.role from collections join collection_role on collection_role.id = collections.id
     where collections.deleted_at is null and collection_role.role is not null and collection_role.covered
       and collections.id = any($6)`,
    [...callerValues(viewer), ids],
  )
}
