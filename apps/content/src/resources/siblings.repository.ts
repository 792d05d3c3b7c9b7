import { query, type Db } from '@recto/database'
import type { Viewer } from '../access/access.policy.ts'
import { callerParameters, callerValues, roleExpression } from '../access/roles.sql.ts'
import { collectionRolesCte } from './collection-roles.sql.ts'
import type { Sibling } from './position.rules.ts'

/** All children of a collection, or of the root of the viewer's organization, in order, and which of them the viewer can read. */
export async function siblingsFor(db: Db, viewer: Viewer, parent: string | null): Promise<Sibling[]> {
  const isChild = (table: string) =>
    `${table}.organization_id = $1 and ${parent === null ? `${table}.parent is null and $5::text is null` : `${table}.parent = $5`}`
  const above = parent === null ? '$4::text' : '(select role from collection_role where collection_role.id = $5)'
  return query<Sibling>(
    db,
    `with recursive ${collectionRolesCte(callerParameters)}
     select type, id, position, deleted_at is null and role is not null as "isVisible" from (
       select 'space' as type, spaces.id, spaces.position, spaces.deleted_at, ${roleExpression({ grantedRole: 'effective_grant.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role
       from spaces left join effective_grant on effective_grant.resource_type = 'space' and effective_grant.resource_id = spaces.id where ${isChild('spaces')}
       union all
       select 'collection', collections.id, collections.position, collections.deleted_at, collection_role.role
       from collections join collection_role on collection_role.id = collections.id where ${isChild('collections')}
     ) as siblings order by position, id`,
    [...callerValues(viewer), parent],
  )
}
