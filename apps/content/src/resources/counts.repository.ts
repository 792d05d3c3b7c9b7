import { query, type Db } from '@recto/database'
import type { Role } from '@recto/actor'
import type { Viewer } from '../access/access.policy.ts'
import { grantedResourcesCte } from '../access/grants.sql.ts'
import { callerParameters, callerValues, roleExpression } from '../access/roles.sql.ts'
import { collectionRolesCte, coveredSpace } from './collection-roles.sql.ts'

/** A member or guest of an organization, with their membership as identity knows it. */
export interface CountedMember {
  user: string
  role: Role | null
  teams: string[]
}

const viewerRole = roleExpression({
  grantedRole: 'effective_grant_viewing.role',
  defaultLevel: 's.default_level',
  above: 'case when s.parent is null then $4::text else collection_role_viewing.role end',
  role: '$4',
})

/**
 * Expressions of `with recursive`: `space` has the spaces of the organization `$1` that the viewer can read, `readable` those of them
 * that the rows of `subject (key, kind, id)` can read by a grant on the space or on a collection that it inherits from. A grant never
 * takes read access away, so whoever can read a space has a grant, or the space is open to all members.
 */
const readableByGrant = `
  ${collectionRolesCte(callerParameters, '_viewing')},
  open as (
    select id from collections where organization_id = $1 and default_level is not null and (default_level <> 'inherit' or parent is null)
    union select c.id from open join collections c on c.organization_id = $1 and c.parent = open.id and c.default_level = 'inherit'
  ),
  space as (
    select s.id, s.parent, s.default_level is not null and (s.default_level <> 'inherit' or s.parent is null or open.id is not null) as is_open,
      s.default_level is not null and s.default_level = 'inherit' as inherits
    from spaces s left join open on open.id = s.parent left join collection_role_viewing on collection_role_viewing.id = s.parent
    left join effective_grant_viewing on effective_grant_viewing.resource_type = 'space' and effective_grant_viewing.resource_id = s.id
    where s.organization_id = $1 and s.deleted_at is null and ${viewerRole} is not null and ${coveredSpace('s', 'collection_role_viewing')}
  ),
  ${grantedResourcesCte('$1')},
  granted_collection as (
    select key, resource_id as id from granted_resource where resource_type = 'collection'
    union select up.key, c.id from granted_collection up join collections c on c.organization_id = $1 and c.parent = up.id and c.default_level = 'inherit'
  ),
  readable as (
    select granted.key, space.id, space.is_open from granted_resource granted
    join space on granted.resource_type = 'space' and space.id = granted.resource_id
    union select up.key, space.id, space.is_open from granted_collection up join space on space.parent = up.id and space.inherits
  )`

const byMember = `
  with recursive member as (select * from jsonb_to_recordset($6::jsonb) as given ("user" text, role text, teams text[])),
  subject as (
    select "user" as key, 'user' as kind, "user" as id from member
    union all select "user", 'team', unnest(teams) from member
  ), ${readableByGrant},
  granted as (select key, count(*) as every, count(*) filter (where not is_open) as closed from readable group by key),
  total as (select count(*) as every, count(*) filter (where is_open) as open from space)
  select member."user" as id, case
      when member.role = 'admin' then total.every
      when member.role is null then coalesce(granted.every, 0)
      else total.open + coalesce(granted.closed, 0)
    end as spaces
  from member cross join total left join granted on granted.key = member."user"`

/** How many of the spaces that the viewer can read each member can read. */
export async function countReadable(db: Db, viewer: Viewer, members: CountedMember[]): Promise<Record<string, number>> {
  if (members.length === 0) return {}
  return byId(await query<Counted>(db, byMember, [...callerValues(viewer), JSON.stringify(members)]))
}

const byTeam = `
  with recursive subject as (select distinct id as key, 'team' as kind, id from unnest($6::text[]) as team (id)), ${readableByGrant}
  select subject.key as id, count(readable.id) as spaces from subject left join readable on readable.key = subject.key group by subject.key`

/** How many of the spaces that the viewer can read each team has a grant on, or on a collection that they inherit from. */
export async function countGranted(db: Db, viewer: Viewer, teams: string[]): Promise<Record<string, number>> {
  if (teams.length === 0) return {}
  return byId(await query<Counted>(db, byTeam, [...callerValues(viewer), teams]))
}

interface Counted {
  id: string
  spaces: number
}

function byId(counted: Counted[]): Record<string, number> {
  return Object.fromEntries(counted.map(({ id, spaces }) => [id, spaces]))
}
