import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  newestFirst,
  prepared,
  preparedAsJson,
  query,
} from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import { In, IsNull, MoreThan } from 'typeorm'
import type { Viewer } from '../access/access.policy.ts'
import { grantsToActor } from '../access/grants.sql.ts'
import { callerParameters, callerValues, roleExpression } from '../access/roles.sql.ts'
import { type AclReader, aclReader, type RowWithGrants } from './acl-reader.repository.ts'
import { collectionRolesCte, coveredSpace, shownRole } from './collection-roles.sql.ts'
import {
  type GitSync,
  type Publication,
  SpaceEntity,
  type SpaceRow,
  type SpaceSettings,
  type SpaceWithAcl,
} from './space.entity.ts'

const columns = columnsOf(SpaceEntity, 'spaces')

const byId = prepared<SpaceRow>('space', `select ${columns} from spaces where id = $1`)

/** A space by id. */
export async function find(db: Db, id: string): Promise<SpaceRow | undefined> {
  const [space] = await byId(db, [id])
  return space
}

/** Makes the reader of a space with the grants of the actor on it and above it, and with the column that another room computes from its id. */
export function spaceReader<More extends object>(
  name: string,
  more?: (id: string) => string,
): AclReader<SpaceRow & More> {
  const selected = [columns, ...(more ? [more('spaces.id')] : []), `${grantsToActor('space', 'spaces.id')} as grants`]
  const sql = `select ${selected.join(', ')} from spaces where id = $1`
  return aclReader(preparedAsJson<RowWithGrants<SpaceRow & More>>(name, sql, ['createdAt', 'updatedAt', 'deletedAt']))
}

/** Reads a space with the grants of the actor on it and above it. */
export const findWithAcl = spaceReader('space-with-acl')

/** Locks a space until the transaction ends and reads it after the wait, because a statement that waits for a lock reads the state before it. */
export async function lockWithAcl(db: Db, id: string, actor: Actor): Promise<SpaceWithAcl | undefined> {
  await lock(db, id)
  return findWithAcl(db, id, actor)
}

/** Reads a space and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<SpaceRow | undefined> {
  const space = await db.findOne(SpaceEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return space ?? undefined
}

/** Locks spaces until the transaction ends, in the order of their ids, so that those who lock several do not wait for each other. */
export async function lockAll(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db.find(SpaceEntity, {
    select: { id: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  })
}

/** Writes a new space; its revision must exist. */
export async function insert(db: Db, space: SpaceRow): Promise<void> {
  await db.insert(SpaceEntity, space)
}

/** Changes the settings of a space. */
export async function update(db: Db, id: string, changes: Partial<SpaceSettings>): Promise<void> {
  await db.update(SpaceEntity, { id }, { ...changes, updatedAt: new Date() })
}

/** Writes the repository that a space shows; null for none. */
export async function showGitSync(db: Db, id: string, gitSync: GitSync | null): Promise<void> {
  await db.update(SpaceEntity, { id }, { gitSync })
}

/** Writes the publication of a space; null for none. The caller holds its lock. */
export async function setPublication(db: Db, id: string, publication: Publication | null): Promise<void> {
  await db.update(SpaceEntity, { id }, { publication })
}

/** Writes the counts of change requests and comments that a space shows; the caller holds its lock. */
export async function updateCounts(
  db: Db,
  id: string,
  counts: Partial<Pick<SpaceRow, 'comments' | 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft'>>,
): Promise<void> {
  await db.update(SpaceEntity, { id }, counts)
}

/** Moves main content to another revision (compare-and-swap); false when it is not at `from` any more. */
export async function moveRevision(
  db: Db,
  id: string,
  { from, to, gitSync }: { from: string; to: string; gitSync?: GitSync },
): Promise<boolean> {
  const { affected } = await db.update(
    SpaceEntity,
    { id, revision: from },
    { revision: to, ...(gitSync && { gitSync }), updatedAt: () => 'now()' },
  )
  return affected === 1
}

/** Spaces that one statement of `eachBatch` reads. */
const batch = 500

/** All spaces, deleted ones too, in batches in the order of ids. */
export async function* eachBatch(db: Db): AsyncGenerator<SpaceRow[]> {
  for (let after = '', rows; ; after = rows.at(-1)?.id ?? '') {
    rows = await db.find(SpaceEntity, { where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: batch })
    yield rows
    if (rows.length < batch) return
  }
}

/** A space with the role of the viewer on it and on its collection. */
export type ListedSpace = SpaceRow & { role: Role; parentRole: Role | null }

const grantOnSpace = `left join effective_grant on effective_grant.resource_type = 'space' and effective_grant.resource_id = spaces.id`

/** Spaces of an organization that a member or guest can read: those on which they have a role. */
export async function listReadable(db: Db, viewer: Viewer, request: ListRequest): Promise<ListPage<ListedSpace>> {
  const above = 'case when spaces.parent is null then $4::text else collection_role.role end'
  const source = {
    sql: `with recursive ${collectionRolesCte(callerParameters)}
      select * from (
        select ${columns}, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role, ${shownRole('collection_role')} as "parentRole"
        from spaces ${grantOnSpace} left join collection_role on collection_role.id = spaces.parent
        where spaces.organization_id = $1 and spaces.deleted_at is null and ${coveredSpace('spaces')}
      ) as shown where role is not null`,
    values: [...callerValues(viewer)],
    ...newestFirst,
  }
  return listPage<ListedSpace>(db, source, request)
}

/** The spaces with these ids that are in an organization and not deleted. */
export async function findUndeleted(db: Db, organization: string, ids: readonly string[]): Promise<SpaceRow[]> {
  return db.findBy(SpaceEntity, { id: In([...ids]), organizationId: organization, deletedAt: IsNull() })
}

/** The spaces with these ids that a viewer can read in an organization; deleted ones are left out. */
export async function findReadable(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ListedSpace[]> {
  const above = 'case when spaces.parent is null then $4::text else collection_role.role end'
  return query<ListedSpace>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select * from (
       select ${columns}, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role, ${shownRole('collection_role')} as "parentRole"
       from spaces ${grantOnSpace} left join collection_role on collection_role.id = spaces.parent
       where spaces.organization_id = $1 and spaces.deleted_at is null and spaces.id = any($6) and ${coveredSpace('spaces')}
     ) as shown where role is not null`,
    [...callerValues(viewer), ids],
  )
}

/** Spaces directly in a collection, in their order, that a viewer can read whose role on the collection is `roleThere`. */
export async function listReadableIn(
  db: Db,
  viewer: Viewer & { collection: string; roleThere: Role },
  request: ListRequest,
): Promise<ListPage<ListedSpace>> {
  const source = {
    sql: `with recursive ${collectionRolesCte(callerParameters)}
      select * from (
        select ${columns}, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'spaces.default_level', above: '$7::text', role: '$4' })} as role, $7::text as "parentRole"
        from spaces ${grantOnSpace}
        where spaces.organization_id = $1 and spaces.parent = $6 and spaces.deleted_at is null
      ) as shown where role is not null`,
    values: [...callerValues(viewer), viewer.collection, viewer.roleThere],
    order: [
      { column: 'position', type: 'text' },
      { column: 'id', type: 'text' },
    ],
    direction: 'asc' as const,
  }
  return listPage<ListedSpace>(db, source, request)
}

/** Spaces of an organization that both the viewer and a member can read, with the roles of both. */
export async function listReadableByBoth(
  db: Db,
  { viewer, member, order }: { viewer: Viewer; member: Viewer; order: 'asc' | 'desc' },
  request: ListRequest,
): Promise<ListPage<ListedSpace & { memberRole: Role }>> {
  const other = { organization: '$1', user: '$6', teams: '$7', role: '$8', limits: 'null' }
  const roleOf = (grants: string, collectionRoles: string, role: string) =>
    roleExpression({
      grantedRole: `${grants}.role`,
      defaultLevel: 'spaces.default_level',
      above: `case when spaces.parent is null then ${role}::text else ${collectionRoles}.role end`,
      role,
    })
  const source = {
    sql: `with recursive ${collectionRolesCte(callerParameters)}, ${collectionRolesCte(other, '_theirs')}
      select * from (
        select ${columns}, ${roleOf('effective_grant', 'collection_role', '$4')} as role, ${shownRole('collection_role')} as "parentRole", ${roleOf('effective_grant_theirs', 'collection_role_theirs', '$8')} as "memberRole"
        from spaces ${grantOnSpace} left join collection_role on collection_role.id = spaces.parent
        left join effective_grant_theirs on effective_grant_theirs.resource_type = 'space' and effective_grant_theirs.resource_id = spaces.id
        left join collection_role_theirs on collection_role_theirs.id = spaces.parent
        where spaces.organization_id = $1 and spaces.deleted_at is null and ${coveredSpace('spaces')}
      ) as shown where role is not null and "memberRole" is not null`,
    values: [...callerValues(viewer), member.userId, member.teams, member.role],
    order: newestFirst.order,
    direction: order,
  }
  return listPage<ListedSpace & { memberRole: Role }>(db, source, request)
}
