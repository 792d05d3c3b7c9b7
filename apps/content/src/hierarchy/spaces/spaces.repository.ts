import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, prepared } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import type { Viewer } from '../../access/access.policy.ts'
import { asking, roleFrom, rolesInside, valuesOf } from '../../access/roles.sql.ts'
import { placedReader } from '../../access/acl-reader.repository.ts'
import { SpaceEntity, type GitSync, type PlacedSpace, type SpaceRow } from './space.entity.ts'
import type { SpaceSettings } from './spaces.rules.ts'

const columns = columnsOf(SpaceEntity, 'spaces')

const byId = prepared<SpaceRow>('space', `select ${columns} from spaces where id = $1`)

export async function find(db: Db, id: string): Promise<SpaceRow | undefined> {
  const [space] = await byId(db, [id])
  return space
}

/** A space with what the actor was granted on it and above it: all that their role on it depends on. */
export const findFor = placedReader<SpaceRow>('space', columns)

/** The same, kept from being changed until the transaction ends; read after the wait, because a statement that waits reads what was before it. */
export async function lockFor(db: Db, id: string, actor: Actor): Promise<PlacedSpace | undefined> {
  await lock(db, id)
  return findFor(db, id, actor)
}

/** Reads a space and keeps others from moving its pointers until the transaction ends. */
export async function lock(db: Db, id: string): Promise<SpaceRow | undefined> {
  const space = await db.findOne(SpaceEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return space ?? undefined
}

export async function insert(db: Db, space: SpaceRow): Promise<void> {
  await db.insert(SpaceEntity, space)
}

/** Changes the settings of a space. */
export async function change(db: Db, id: string, changes: Partial<SpaceSettings>): Promise<void> {
  await db.update(SpaceEntity, { id }, { ...changes, updatedAt: new Date() })
}

/** Moves main content to a revision, if it is still at the one that the change was made from. */
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

/** A space with the role on it, and on the collection it is in, of who lists it. */
export type ListedSpace = SpaceRow & { role: Role; parentRole: Role | null }

const heldOnSpace = `left join held on held.object = 'space' and held.object_id = spaces.id`

/** Spaces of an organization that a member or guest sees: those whose role for them, in the policy, is not null. */
export async function listSeen(db: Db, viewer: Viewer, request: ListRequest): Promise<ListPage<ListedSpace>> {
  const above = 'case when spaces.parent is null then $4::text else inside.role end'
  const source = {
    sql: `with recursive ${rolesInside(asking)}
      select * from (
        select ${columns}, ${roleFrom({ held: 'held.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role, inside.role as "parentRole"
        from spaces ${heldOnSpace} left join inside on inside.id = spaces.parent
        where spaces.organization_id = $1 and spaces.deleted_at is null
      ) as shown where role is not null`,
    values: [...valuesOf(viewer)],
    ...newestFirst,
  }
  return listPage<ListedSpace>(db, source, request)
}

/** Spaces right in a collection, in their order, that somebody sees whose role on the collection is this one. */
export async function listSeenIn(
  db: Db,
  viewer: Viewer & { collection: string; roleThere: Role },
  request: ListRequest,
): Promise<ListPage<ListedSpace>> {
  const source = {
    sql: `with recursive ${rolesInside(asking)}
      select * from (
        select ${columns}, ${roleFrom({ held: 'held.role', defaultLevel: 'spaces.default_level', above: '$6::text', role: '$4' })} as role, $6::text as "parentRole"
        from spaces ${heldOnSpace}
        where spaces.organization_id = $1 and spaces.parent = $5 and spaces.deleted_at is null
      ) as shown where role is not null`,
    values: [...valuesOf(viewer), viewer.collection, viewer.roleThere],
    order: [
      { column: 'position', type: 'text' },
      { column: 'id', type: 'text' },
    ],
    direction: 'asc' as const,
  }
  return listPage<ListedSpace>(db, source, request)
}

/** Spaces that two people of an organization both see, with the role of the viewer and that of the member. */
export async function listSeenByBoth(
  db: Db,
  { viewer, member, order }: { viewer: Viewer; member: Viewer; order: 'asc' | 'desc' },
  request: ListRequest,
): Promise<ListPage<ListedSpace & { memberRole: Role }>> {
  const other = { organization: '$1', user: '$5', teams: '$6', role: '$7' }
  const roleOf = (held: string, inside: string, role: string) =>
    roleFrom({
      held: `${held}.role`,
      defaultLevel: 'spaces.default_level',
      above: `case when spaces.parent is null then ${role}::text else ${inside}.role end`,
      role,
    })
  const source = {
    sql: `with recursive ${rolesInside(asking)}, ${rolesInside(other, '_theirs')}
      select * from (
        select ${columns}, ${roleOf('held', 'inside', '$4')} as role, inside.role as "parentRole", ${roleOf('held_theirs', 'inside_theirs', '$7')} as "memberRole"
        from spaces ${heldOnSpace} left join inside on inside.id = spaces.parent
        left join held_theirs on held_theirs.object = 'space' and held_theirs.object_id = spaces.id
        left join inside_theirs on inside_theirs.id = spaces.parent
        where spaces.organization_id = $1 and spaces.deleted_at is null
      ) as shown where role is not null and "memberRole" is not null`,
    values: [...valuesOf(viewer), member.userId, member.teams, member.role],
    order: newestFirst.order,
    direction: order,
  }
  return listPage<ListedSpace & { memberRole: Role }>(db, source, request)
}
