import { query, type Db } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { Any, IsNull, Not } from 'typeorm'
import type { ResourceType } from '../access/grant.entity.ts'
import type { ResourceIds } from '../access/grants.repository.ts'
import { CollectionEntity } from './collection.entity.ts'
import { SpaceEntity, type SpaceRow } from './space.entity.ts'
import { resourceEntities, subtreeCte } from './collection-subtree.repository.ts'

/** The resources that a transfer moves: a space, or a collection with all collections and spaces in it. */
export type TransferSet = ResourceIds

/** A collection, the collections below it and the spaces in them, including deleted ones. */
export async function transferSetOf(db: Db, collection: string): Promise<TransferSet> {
  const collections = await query<{ id: string }>(
    db,
    `with recursive ${subtreeCte('$1')} select id from subtree order by id`,
    [collection],
  )
  const ids = collections.map(({ id }) => id)
  const spaces = await db.find(SpaceEntity, { select: { id: true }, where: { parent: Any(ids) }, order: { id: 'ASC' } })
  return { collections: ids, spaces: spaces.map(({ id }) => id) }
}

/** Locks the spaces directly in these collections until the transaction ends, and returns their ids. */
export async function lockSpacesIn(db: Db, collections: string[]): Promise<string[]> {
  const inside = { select: { id: true }, where: { parent: Any(collections) }, order: { id: 'ASC' } } as const
  await db.find(SpaceEntity, { ...inside, lock: { mode: 'pessimistic_write' } })
  const spaces = await db.find(SpaceEntity, inside)
  return spaces.map(({ id }) => id)
}

/** Whether a published site shows one of these spaces. */
export async function isAnyPublished(db: Db, spaces: string[]): Promise<boolean> {
  return db.existsBy(SpaceEntity, { id: Any(spaces), publication: Not(IsNull()) })
}

/** Assigns the resources to another organization; their grants are reassigned by `reassignGrants`. */
export async function reassignOrganization(db: Db, set: TransferSet, organization: string): Promise<void> {
  await query(db, 'set constraints collections_parent, spaces_parent deferred')
  const changes = { organizationId: organization, updatedAt: () => 'now()' }
  await db.update(CollectionEntity, { id: Any(set.collections) }, changes)
  await db.update(SpaceEntity, { id: Any(set.spaces) }, changes)
}

/** Lowers every default level of the resources that is above a role to that role. */
export async function capDefaultLevels(db: Db, set: TransferSet, role: Role): Promise<void> {
  const above = Any(roles.slice(roles.indexOf(role) + 1))
  await db.update(CollectionEntity, { id: Any(set.collections), defaultLevel: above }, { defaultLevel: role })
  await db.update(SpaceEntity, { id: Any(set.spaces), defaultLevel: above }, { defaultLevel: role })
}

/** Puts a resource at the root of its organization, with a default level that no longer depends on its old collections. */
export async function placeAtRoot(
  db: Db,
  type: ResourceType,
  { id, position, defaultLevel }: Pick<SpaceRow, 'id' | 'position' | 'defaultLevel'>,
): Promise<void> {
  await db.update(resourceEntities[type], { id }, { parent: null, position, defaultLevel })
}
