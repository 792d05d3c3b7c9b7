import { query, type Db } from '@recto/database'
import { roles, type Membership } from '@recto/operation'
import { canManage } from '../access/access.policy.ts'
import { roleFrom, rolesInside } from '../access/access.repository.ts'

const managing = roles.filter(canManage)
const asking = { organization: '$1', user: '$2', teams: '$3', role: '$4' }

/** Whether there is something in these collections, or one of them, that this member may not manage: what is deleted does not count. */
export async function isForbiddenIn(db: Db, viewer: Membership & { userId: string }, collections: string[]): Promise<boolean> {
  const roleOnSpace = roleFrom({ held: 'held.role', defaultLevel: 'spaces.default_level', above: 'inside.role', role: '$4' })
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
    [viewer.organization, viewer.userId, viewer.teams, viewer.role, collections, managing],
  )
  return row?.found ?? true
}
