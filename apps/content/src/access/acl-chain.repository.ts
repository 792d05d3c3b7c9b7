import { query, type Db } from '@recto/database'
import type { AclEntry } from './access.policy.ts'
import type { ResourceType } from './grant.entity.ts'

/** Loads the ACL entries of a resource and of the collections above it, the nearest first. */
export type LoadAclChain = (db: Db, id: string) => Promise<AclEntry[]>

/**
 * Makes the loader for one type of resource. The tables of resources and collections are the caller's; both have the columns `id`,
 * `parent` and `default_level`.
 */
export function aclChainLoader(type: ResourceType, tables: { resources: string; collections: string }): LoadAclChain {
  const granted = (subject: string) => `coalesce((select json_object_agg(subject_id, role) from grants
    where grants.resource_type = up.type and grants.resource_id = up.id and grants.subject = '${subject}'), '{}') as "${subject}s"`
  const sql = `with recursive up as (
       select '${type}'::text as type, id, parent, default_level, 0 as height from ${tables.resources} where id = $1
       union all select 'collection', c.id, c.parent, c.default_level, up.height + 1 from up join ${tables.collections} c on c.id = up.parent
     )
     select default_level as "defaultLevel", ${granted('user')}, ${granted('team')} from up order by height`
  return (db, id) => query<AclEntry>(db, sql, [id])
}
