import { query, type Db } from '@recto/database'
import type { AclEntry } from '../access/access.policy.ts'
import { rolesBySubject } from '../access/grants.sql.ts'
import type { ResourceKey } from './resource.entity.ts'

const entry = { type: 'up.type', id: 'up.id' }
const chain = `with recursive up as (
    select type, id, parent, default_level, 0 as height from resources where type = $1 and id = $2
    union all select c.type, c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
  )
  select id, default_level as "defaultLevel", ${rolesBySubject('user', entry)} as users, ${rolesBySubject('team', entry)} as teams from up order by height`

/** Loads the ACL entries of a resource and of the collections above it, the nearest first. */
export async function loadAclChain(db: Db, { type, id }: ResourceKey): Promise<AclEntry[]> {
  return query<AclEntry>(db, chain, [type, id])
}
