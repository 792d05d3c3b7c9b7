import { query, type Db } from '@recto/database'
import { roles } from '@recto/actor'
import { canManage, type Viewer } from '../access/access.policy.ts'
import { callerParameters, callerValues, roleExpression } from '../access/roles.sql.ts'
import { collectionRolesCte } from './collection-roles.sql.ts'

const managing = roles.filter(canManage)

/** Whether the viewer may not manage one of these collections or a space directly in them; deleted ones do not count. */
export async function hasUnmanageable(db: Db, viewer: Viewer, collections: string[]): Promise<boolean> {
  const roleOnSpace = roleExpression({
    grantedRole: 'effective_grant.role',
    defaultLevel: 'spaces.default_level',
    above: 'collection_role.role',
    role: '$4',
  })
  const [row] = await query<{ found: boolean }>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select exists (
       select from collections join collection_role on collection_role.id = collections.id
       where collections.id = any($5) and collections.deleted_at is null and coalesce(collection_role.role, '') <> all($6)
     ) or exists (
       select from spaces join collection_role on collection_role.id = spaces.parent left join effective_grant on effective_grant.resource_type = 'space' and effective_grant.resource_id = spaces.id
       where spaces.parent = any($5) and spaces.deleted_at is null and coalesce(${roleOnSpace}, '') <> all($6)
     ) as found`,
    [...callerValues(viewer), collections, managing],
  )
  return row?.found ?? true
}
