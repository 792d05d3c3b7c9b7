import { query, type Db } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { Any, Not } from 'typeorm'
import { CollectionEntity } from '../collections/collection.entity.ts'
import { GrantEntity } from '../../access/grant.entity.ts'
import { SpaceEntity, type SpaceRow } from '../spaces/space.entity.ts'
import { below, siblingEntities, type SiblingTable } from '../tree/tree.repository.ts'

/** What is given away: a space, or a collection with all that is in it. */
export interface Estate {
  spaces: string[]
  collections: string[]
}

/** A collection, the collections below it and the spaces in them, deleted ones too. */
export async function estateOf(db: Db, collection: string): Promise<Estate> {
  const collections = await query<{ id: string }>(
    db,
    `with recursive ${below('$1')} select id from below order by id`,
    [collection],
  )
  const ids = collections.map(({ id }) => id)
  const spaces = await db.find(SpaceEntity, { select: { id: true }, where: { parent: Any(ids) }, order: { id: 'ASC' } })
  return { collections: ids, spaces: spaces.map(({ id }) => id) }
}

/** Spaces that lie in these collections, kept from being moved until the transaction ends. */
export async function lockSpacesIn(db: Db, collections: string[]): Promise<string[]> {
  const inside = { select: { id: true }, where: { parent: Any(collections) }, order: { id: 'ASC' } } as const
  await db.find(SpaceEntity, { ...inside, lock: { mode: 'pessimistic_write' } })
  const spaces = await db.find(SpaceEntity, inside)
  return spaces.map(({ id }) => id)
}

/** What is granted on it. */
function grantsOn({ spaces, collections }: Estate) {
  return [
    { object: 'space' as const, objectId: Any(spaces) },
    { object: 'collection' as const, objectId: Any(collections) },
  ]
}

/** Users who were granted something of it. */
export async function grantedUsers(db: Db, { spaces, collections }: Estate): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `select distinct subject_id as id from grants
     where subject = 'user' and (object = 'space' and object_id = any($1) or object = 'collection' and object_id = any($2))`,
    [spaces, collections],
  )
  return rows.map(({ id }) => id)
}

/** Gives it to an organization, with the grants to these users; what was granted to others ends. */
export async function give(
  db: Db,
  estate: Estate,
  { organization, users }: { organization: string; users: string[] },
): Promise<void> {
  await query(db, 'set constraints collections_parent, spaces_parent deferred')
  await db.update(
    CollectionEntity,
    { id: Any(estate.collections) },
    { organizationId: organization, updatedAt: () => 'now()' },
  )
  await db.update(SpaceEntity, { id: Any(estate.spaces) }, { organizationId: organization, updatedAt: () => 'now()' })
  const others = [{ subject: 'team' as const }, { subject: 'user' as const, subjectId: Not(Any(users)) }]
  await db.delete(
    GrantEntity,
    grantsOn(estate).flatMap(on => others.map(held => ({ ...on, ...held }))),
  )
  await db.update(GrantEntity, grantsOn(estate), { organizationId: organization })
}

/** Leaves nobody more on it than this role: neither by a grant nor by a default level. */
export async function lowerTo(db: Db, estate: Estate, role: Role): Promise<void> {
  const above = Any(roles.slice(roles.indexOf(role) + 1))
  await db.update(
    GrantEntity,
    grantsOn(estate).map(on => ({ ...on, role: above })),
    { role },
  )
  await db.update(CollectionEntity, { id: Any(estate.collections), defaultLevel: above }, { defaultLevel: role })
  await db.update(SpaceEntity, { id: Any(estate.spaces), defaultLevel: above }, { defaultLevel: role })
}

/** Puts what was given on its place in the organization, which no collection opens or closes any more. */
export async function settle(
  db: Db,
  table: SiblingTable,
  { id, position, defaultLevel }: Pick<SpaceRow, 'id' | 'position' | 'defaultLevel'>,
): Promise<void> {
  await db.update(siblingEntities[table], { id }, { parent: null, position, defaultLevel })
}
