import { query, type Db } from '@recto/database'
import { roles } from '@recto/actor'
import { canManage, type Viewer } from '../../access/access.policy.ts'
import { asking, roleFrom, rolesInside, valuesOf } from '../../access/roles.sql.ts'

const managing = roles.filter(canManage)

/** Whether there is something in these collections, or one of them, that this member may not manage: what is deleted does not count. */
export async function isForbiddenIn(db: Db, viewer: Viewer, collections: string[]): Promise<boolean> {
  const roleOnSpace = roleFrom({
    held: 'held.role',
    defaultLevel: 'spaces.default_level',
    above: 'inside.role',
    role: '$4',
  })
  const [row] = await query<{ found: boolean }>(
    db,
    `with recursive ${rolesInside(asking)}
     select exists (
       select from collections join inside on inside.id = collections.id
       where collections.id = any($5) and collections.deleted_at is null and coalesce(inside.role, '') <> all($6)
     ) or exists (
       select from spaces join inside on inside.id = spaces.parent left join held on held.object = 'space' and held.object_id = spaces.id
       where spaces.parent = any($5) and spaces.deleted_at is null and coalesce(${roleOnSpace}, '') <> all($6)
     ) as found`,
    [...valuesOf(viewer), collections, managing],
  )
  return row?.found ?? true
}
