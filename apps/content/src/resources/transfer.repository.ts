import { query, type Db } from '@recto/database'
import { roles, type Role } from '@recto/actor'
import { Any, IsNull, Not } from 'typeorm'
import type { ResourceIds } from '../access/grants.repository.ts'
import { ResourceEntity, type ResourceKey, type ResourceRow } from './resource.entity.ts'
import { SpaceEntity } from './space.entity.ts'

/** The resources that a transfer moves: a space, or a collection with all collections and spaces in it. */
export type TransferSet = ResourceIds

/** A collection, the collections below it and the spaces in them, including deleted ones. */
export async function transferSetOf(db: Db, collection: string): Promise<TransferSet> {
  const rows = await query<ResourceKey>(
    db,
    `with recursive inside as (
       select type, id, organization_id from resources where type = 'collection' and id = $1
       union all select r.type, r.id, r.organization_id from inside join resources r on r.organization_id = inside.organization_id and r.parent = inside.id
     )
     select type, id from inside order by id`,
    [collection],
  )
  return { collections: idsOf('collection', rows), spaces: idsOf('space', rows) }
}

function idsOf(type: ResourceKey['type'], rows: ResourceKey[]): string[] {
  return rows.flatMap(row => (row.type === type ? [row.id] : []))
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
  await db.update(ResourceEntity, { id: inSet(set) }, { organizationId: organization, updatedAt: () => 'now()' })
}

/** Lowers every default level of the resources that is above a role to that role. */
export async function capDefaultLevels(db: Db, set: TransferSet, role: Role): Promise<void> {
  const above = Any(roles.slice(roles.indexOf(role) + 1))
  await db.update(ResourceEntity, { id: inSet(set), defaultLevel: above }, { defaultLevel: role })
}

function inSet({ collections, spaces }: TransferSet) {
  return Any([...collections, ...spaces])
}

/** Puts a resource at the root of its organization, with a default level that no longer depends on its old collections. */
export async function placeAtRoot(
  db: Db,
  { type, id }: ResourceKey,
  { position, defaultLevel }: Pick<ResourceRow, 'position' | 'defaultLevel'>,
): Promise<void> {
  await db.update(ResourceEntity, { type, id }, { parent: null, position, defaultLevel })
}
