import { query, type Db } from '@recto/database'
import type { Role } from '@recto/actor'
import type { Viewer } from '../../access/access.policy.ts'
import { asking, roleFrom, rolesInside, valuesOf } from '../../access/roles.sql.ts'

/** A member or guest of an organization, as identity knows them. */
export interface CountedMember {
  user: string
  role: Role | null
  teams: string[]
}

const viewed = roleFrom({
  held: 'held_viewing.role',
  defaultLevel: 's.default_level',
  above: 'case when s.parent is null then $4::text else inside_viewing.role end',
  role: '$4',
})

/**
 * Spaces of the organization `$1` that the viewer sees, and which of them `subject (key, kind, id)` see by a grant: one on the space,
 * or on a collection that it inherits from. A grant never takes sight away, so whoever sees a space sees it by a grant or because it is open to all.
 */
const seenByGrant = `
  ${rolesInside(asking, '_viewing')},
  open as (
    select id from collections where organization_id = $1 and default_level is not null and (default_level <> 'inherit' or parent is null)
    union select c.id from open join collections c on c.organization_id = $1 and c.parent = open.id and c.default_level = 'inherit'
  ),
  space as (
    select s.id, s.parent, s.default_level is not null and (s.default_level <> 'inherit' or s.parent is null or open.id is not null) as is_open,
      s.default_level is not null and s.default_level = 'inherit' as inherits
    from spaces s left join open on open.id = s.parent left join inside_viewing on inside_viewing.id = s.parent
    left join held_viewing on held_viewing.object = 'space' and held_viewing.object_id = s.id
    where s.organization_id = $1 and s.deleted_at is null and ${viewed} is not null
  ),
  held as (
    select subject.key, grants.object, grants.object_id from subject
    join grants on grants.subject = subject.kind and grants.subject_id = subject.id and grants.organization_id = $1
  ),
  reach as (
    select held.key, held.object_id as id from held where held.object = 'collection'
    union select reach.key, c.id from reach join collections c on c.organization_id = $1 and c.parent = reach.id and c.default_level = 'inherit'
  ),
  seen as (
    select held.key, space.id, space.is_open from held join space on held.object = 'space' and space.id = held.object_id
    union select reach.key, space.id, space.is_open from reach join space on space.parent = reach.id and space.inherits
  )`

const byMember = `
  with recursive member as (select * from jsonb_to_recordset($5::jsonb) as given ("user" text, role text, teams text[])),
  subject as (
    select "user" as key, 'user' as kind, "user" as id from member
    union all select "user", 'team', unnest(teams) from member
  ), ${seenByGrant},
  granted as (select key, count(*) as every, count(*) filter (where not is_open) as closed from seen group by key),
  total as (select count(*) as every, count(*) filter (where is_open) as open from space)
  select member."user" as id, case
      when member.role = 'admin' then total.every
      when member.role is null then coalesce(granted.every, 0)
      else total.open + coalesce(granted.closed, 0)
    end as spaces
  from member cross join total left join granted on granted.key = member."user"`

/** How many spaces each member sees, of those that the viewer sees: those whose role for them, in the policy, is not null. */
export async function countSeen(db: Db, viewer: Viewer, members: CountedMember[]): Promise<Record<string, number>> {
  if (members.length === 0) return {}
  return byId(await query<Counted>(db, byMember, [...valuesOf(viewer), JSON.stringify(members)]))
}

const byTeam = `
  with recursive subject as (select distinct id as key, 'team' as kind, id from unnest($5::text[]) as team (id)), ${seenByGrant}
  select subject.key as id, count(seen.id) as spaces from subject left join seen on seen.key = subject.key group by subject.key`

/** How many spaces that the viewer sees each team has been granted, on themselves or on a collection that they inherit from. */
export async function countGranted(db: Db, viewer: Viewer, teams: string[]): Promise<Record<string, number>> {
  if (teams.length === 0) return {}
  return byId(await query<Counted>(db, byTeam, [...valuesOf(viewer), teams]))
}

interface Counted {
  id: string
  spaces: number
}

function byId(counted: Counted[]): Record<string, number> {
  return Object.fromEntries(counted.map(({ id, spaces }) => [id, spaces]))
}
