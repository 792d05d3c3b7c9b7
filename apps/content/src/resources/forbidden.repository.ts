import { query, type Db } from '@recto/database'
import { roles } from '@recto/actor'
import { canManage, type Viewer } from '../access/access.policy.ts'
import { callerParameters, callerValues } from '../access/roles.sql.ts'
import { collectionRolesCte } from './collection-roles.sql.ts'
import { grantOnResource, roleOnResource } from './resource-roles.sql.ts'

const managing = roles.filter(canManage)

/** Whether there is one of these collections, or a resource directly in them, that the viewer may not manage; deleted ones do not count. */
export async function hasUnmanageable(db: Db, viewer: Viewer, collections: string[]): Promise<boolean> {
  const role = roleOnResource('case when resources.parent is null then $4::text else upper.role end')
  const [row] = await query<{ exists: boolean }>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select exists (
       select from resources ${grantOnResource} left join collection_role upper on upper.id = resources.parent
       where resources.organization_id = $1 and (resources.id = any($6) or resources.parent = any($6))
         and resources.deleted_at is null and coalesce(${role}, '') <> all($7)
     )`,
    [...callerValues(viewer), collections, managing],
  )
  return row?.exists ?? true
}
