import { roles, type Role } from '@recto/operation'
import type { Granted } from './access.policy.ts'

/** SQL that stands for who asks: parameters of the statement, or columns. */
export interface Asking {
  organization: string
  user: string
  teams: string
  /** The role in the organization; null for guests. */
  role: string
}

/**
 * Selects, beside the columns of an object, what a user and their teams were granted on it and on the collections above it: all
 * that `viewOf` needs. With `= any` Postgres would take the number of teams into account, and plan the statement for each request.
 */
export function placed(object: 'space' | 'collection', asking: Pick<Asking, 'user' | 'teams'>): string {
  const table = `${object}s`
  const own = granted(object, `${table}.id`, asking)
  const upper = granted('collection', 'up.id', asking)
  return `${own.user} as "userGrant", ${own.teams} as "teamGrants", case when ${table}.parent is not null then (
    with recursive up as (
      select c.id, c.parent, c.default_level, 1 as height from collections c where c.id = ${table}.parent
      union all select c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
    )
    select json_agg(json_build_object('defaultLevel', up.default_level, 'userGrant', ${upper.user}, 'teamGrants', ${upper.teams}) order by up.height) from up
  ) end as above`
}

/** The same for the object alone: most spaces are in no collection, and even the plan of a walk that is not taken costs each read. */
export function placedHere(object: 'space' | 'collection', { user, teams }: Pick<Asking, 'user' | 'teams'>): string {
  const who = `subject = 'user' and subject_id = ${user} or subject = 'team' and array_position(${teams}::text[], subject_id) is not null`
  return `(select json_agg(json_build_array(subject, subject_id, role)) from grants where object = '${object}' and object_id = ${object}s.id and (${who})) as held`
}

/** What `placedHere` selects: for each grant the kind of its holder, their id and the role. */
export type Held = ['user' | 'team', string, Role][] | null

/** The grants of one user and their teams as the policy takes them. */
export function grantsOf(held: Held): Pick<Granted, 'userGrant' | 'teamGrants'> {
  if (!held) return { userGrant: null, teamGrants: null }
  const teams = held.filter(([subject]) => subject === 'team').map(([, team, role]) => [team, role] as const)
  return { userGrant: held.find(([subject]) => subject === 'user')?.[2] ?? null, teamGrants: Object.fromEntries(teams) }
}

/** Selects what is above an object, the nearest first, from the collection it is in: `above` of `viewOf`. */
export function aboveFrom(parent: string, asking: Pick<Asking, 'user' | 'teams'>): string {
  const upper = granted('collection', 'up.id', asking)
  return `with recursive up as (
      select c.id, c.parent, c.default_level, 1 as height from collections c where c.id = ${parent}
      union all select c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
    )
    select up.default_level as "defaultLevel", ${upper.user} as "userGrant", ${upper.teams} as "teamGrants" from up order by up.height`
}

function granted(object: string, id: string, { user, teams }: Pick<Asking, 'user' | 'teams'>): { user: string; teams: string } {
  const on = `from grants where object = '${object}' and object_id = ${id}`
  return {
    user: `(select role ${on} and subject = 'user' and subject_id = ${user})`,
    teams: `(select json_object_agg(subject_id, role) ${on} and subject = 'team' and array_position(${teams}::text[], subject_id) is not null)`,
  }
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
export function roleFrom({ held, defaultLevel, above, role }: { held: string; defaultLevel: string; above: string; role: string }): string {
  return `case when ${role}::text = 'admin' then 'admin' when ${held} is not null then ${held} when ${defaultLevel} = 'inherit' then ${above}
    when ${role}::text is not null then ${defaultLevel} end`
}
