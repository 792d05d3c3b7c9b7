import { query, type Db } from '@recto/database'
import type { Membership } from '@recto/operation'
import { roleFrom, rolesInside } from '../access/roles.sql.ts'
import type { Siblings } from '../collections/ordering.repository.ts'
import type { Sibling } from './moving.rules.ts'

/** All that lies in a collection, or in none, in its order, and which of it a member or guest sees. */
export async function siblingsFor(db: Db, viewer: Membership & { userId: string }, { organization, parent }: Siblings): Promise<Sibling[]> {
  const inside = (table: string) => `${table}.organization_id = $1 and ${parent === null ? `${table}.parent is null and $5::text is null` : `${table}.parent = $5`}`
  const above = parent === null ? '$4::text' : '(select role from inside where inside.id = $5)'
  return query<Sibling>(
    db,
    `with recursive ${rolesInside({ organization: '$1', user: '$2', teams: '$3', role: '$4' })}
     select object, id, position, deleted_at is null and role is not null as "isVisible" from (
       select 'space' as object, spaces.id, spaces.position, spaces.deleted_at, ${roleFrom({ held: 'held.role', defaultLevel: 'spaces.default_level', above, role: '$4' })} as role
       from spaces left join held on held.object = 'space' and held.object_id = spaces.id where ${inside('spaces')}
       union all
       select 'collection', collections.id, collections.position, collections.deleted_at, inside.role
       from collections join inside on inside.id = collections.id where ${inside('collections')}
     ) as siblings order by position, id`,
    [organization, viewer.userId, viewer.teams, viewer.role, parent],
  )
}
