import { query, type Db } from '@recto/database'
import type { Viewer } from '../../access/access.policy.ts'
import { asking, roleFrom, rolesInside, valuesOf } from '../../access/roles.sql.ts'
import type { Sibling } from './position.rules.ts'

/** All that lies in a collection, or in none, of the viewer's organization in its order, and which of it a member or guest sees. */
export async function siblingsFor(db: Db, viewer: Viewer, parent: string | null): Promise<Sibling[]> {
  const inside = (table: string) =>
    `${table}.organization_id = $1 and ${parent === null ? `${table}.parent is null and $5::text is null` : `${table}.parent = $5`}`
  const above = parent === null ? '$4::text' : '(select role from inside where inside.id = $5)'
  return query<Sibling>(
    db,
    `with recursive ${rolesInside(asking)}
     select object, id, position, deleted_at is null and role is not null as "isVisible" from (
       select 'space' as object, spaces.id, spaces.position, spaces.deleted_at, ${roleFrom({ held: 'held.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role
       from spaces left join held on held.object = 'space' and held.object_id = spaces.id where ${inside('spaces')}
       union all
       select 'collection', collections.id, collections.position, collections.deleted_at, inside.role
       from collections join inside on inside.id = collections.id where ${inside('collections')}
     ) as siblings order by position, id`,
    [...valuesOf(viewer), parent],
  )
}
