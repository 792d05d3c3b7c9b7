import { roles } from '@recto/actor'
import type { Viewer } from './access.policy.ts'

/** SQL that stands for who asks: parameters of the statement, or columns. */
export interface Asking {
  organization: string
  user: string
  teams: string
  /** The role in the organization; null for guests. */
  role: string
}

/** Who asks, as the first four parameters of a statement. */
export const asking: Asking = { organization: '$1', user: '$2', teams: '$3', role: '$4' }

/** What `asking` stands for. */
export function valuesOf({
  organization,
  userId,
  teams,
  role,
}: Viewer): [organization: string, user: string, teams: string[], role: string | null] {
  return [organization, userId, teams, role]
}

/**
 * The policy in SQL, for lists. Expressions of `with recursive`: `held` is the grant that counts for who asks on each object,
 * `inside` their role on each collection, null for no access. Two can stand in one statement when they are named.
 */
export function rolesInside({ organization, user, teams, role }: Asking, name = ''): string {
  return `held${name} as (
    select distinct on (object, object_id) object, object_id, role from grants
    where organization_id = ${organization} and (subject = 'user' and subject_id = ${user} or subject = 'team' and subject_id = any(${teams}::text[]))
    order by object, object_id, subject = 'user' desc, array_position('{${roles.join(',')}}', role) desc
  ), inside${name} as (
    select c.id, ${roleFrom({ held: 'held.role', defaultLevel: 'c.default_level', above: `${role}::text`, role })} as role
    from collections c left join held${name} held on held.object = 'collection' and held.object_id = c.id
    where c.organization_id = ${organization} and c.parent is null
    union all
    select c.id, ${roleFrom({ held: 'held.role', defaultLevel: 'c.default_level', above: 'up.role', role })}
    from inside${name} up join collections c on c.organization_id = ${organization} and c.parent = up.id
    left join held${name} held on held.object = 'collection' and held.object_id = c.id
  )`
}

/** One step of the policy: the role on an object by the grant held on it, its default level, and the role above it. */
export function roleFrom({
  held,
  defaultLevel,
  above,
  role,
}: {
  held: string
  defaultLevel: string
  above: string
  role: string
}): string {
  return `case when ${role}::text = 'admin' then 'admin' when ${held} is not null then ${held} when ${defaultLevel} = 'inherit' then ${above}
    when ${role}::text is not null then ${defaultLevel} end`
}
