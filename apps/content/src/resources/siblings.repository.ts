import { query, type Db } from '@recto/database'
import type { Viewer } from '../access/access.policy.ts'
import { callerParameters, callerValues } from '../access/roles.sql.ts'
import { collectionRolesCte } from './collection-roles.sql.ts'
import type { Sibling } from './position.rules.ts'
import { grantOnResource, roleOnResource } from './resource-roles.sql.ts'

/** All children of a collection, or of the root of the viewer's organization, in order, and which of them the viewer can read. */
export async function siblingsFor(db: Db, viewer: Viewer, parent: string | null): Promise<Sibling[]> {
  const isChild = parent === null ? 'resources.parent is null and $6::text is null' : 'resources.parent = $6'
  const above = parent === null ? '$4::text' : '(select role from collection_role where collection_role.id = $6)'
  return query<Sibling>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select type, id, position, deleted_at is null and role is not null as "isVisible" from (
       select resources.type, resources.id, resources.position, resources.deleted_at, ${roleOnResource(above)} as role
       from resources ${grantOnResource} where resources.organization_id = $1 and ${isChild}
     ) as siblings order by position, id`,
    [...callerValues(viewer), parent],
  )
}
