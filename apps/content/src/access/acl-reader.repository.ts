import { prepared, type Db } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import type { AclGrants, DefaultLevel, ResourceWithAcl } from './access.policy.ts'
import type { ResourceType } from './grant.entity.ts'

/** For each grant the kind of its subject, the subject's id and the role. */
type GrantTuples = ['user' | 'team', string, Role][] | null

interface Row {
  parent: string | null
  defaultLevel: DefaultLevel
  organizationId: string
}

/** How a reader selects: the table of its resources and their columns, and the table of collections; all are the caller's. */
export interface AclSource {
  table: string
  columns: string
  collections: string
}

/** Reads a resource by id, with the grants of an actor and their teams on it and above it: all that `resolveAccess` needs. */
export type AclReader<Found extends Row> = (
  db: Db,
  id: string,
  actor: Actor,
) => Promise<(Found & ResourceWithAcl) | undefined>

/**
 * Makes the reader of a type of resource. The collections above are read by a second statement, only when there are any: planning
 * a recursive walk costs even where there is nothing to walk. All readers must name the same table of collections, because they
 * share that prepared statement.
 */
export function aclReader<Found extends Row>(
  type: ResourceType,
  { table, columns, collections }: AclSource,
): AclReader<Found> {
  const read = prepared<Found & { granted: GrantTuples }>(
    `${type}-with-acl`,
    `select ${columns}, (${grantTuples(type, `${table}.id`)}) as granted from ${table} where id = $1`,
  )
  const readAbove = ancestorReader(collections)
  return async (db, id, actor) => {
    const teams = actor.memberships.flatMap(membership => membership.teams)
    const [row] = await read(db, [id, actor.userId, teams])
    if (!row) return undefined
    const { granted, ...found } = row
    const above = found.parent === null ? null : await readAbove(db, [found.parent, actor.userId, teams])
    return { ...(found as unknown as Found), ...grantsOf(granted), above }
  }
}

// With `= any`, Postgres would consider the number of teams and plan the statement for each request.
function grantTuples(type: ResourceType, id: string): string {
  return `select json_agg(json_build_array(subject, subject_id, role)) from grants where resource_type = '${type}' and resource_id = ${id}
    and (subject = 'user' and subject_id = $2 or subject = 'team' and array_position($3::text[], subject_id) is not null)`
}

function ancestorReader(collections: string) {
  const walkUp = prepared<{ defaultLevel: DefaultLevel; granted: GrantTuples }>(
    'ancestors-with-acl',
    `with recursive up as (
       select id, parent, default_level, 1 as height from ${collections} where id = $1
       union all select c.id, c.parent, c.default_level, up.height + 1 from up join ${collections} c on c.id = up.parent
     )
     select default_level as "defaultLevel", (${grantTuples('collection', 'up.id')}) as granted from up order by height`,
  )
  return async (db: Db, values: [parent: string, user: string, teams: string[]]): Promise<AclGrants[]> =>
    (await walkUp(db, values)).map(({ defaultLevel, granted }) => ({ defaultLevel, ...grantsOf(granted) }))
}

function grantsOf(granted: GrantTuples): Pick<AclGrants, 'userGrant' | 'teamGrants'> {
  if (!granted) return { userGrant: null, teamGrants: null }
  const teams = granted.filter(([subject]) => subject === 'team').map(([, team, role]) => [team, role] as const)
  return {
    userGrant: granted.find(([subject]) => subject === 'user')?.[2] ?? null,
    teamGrants: Object.fromEntries(teams),
  }
}
