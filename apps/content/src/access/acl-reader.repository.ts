import { prepared, type Db } from '@recto/database'
import type { Actor, Role } from '@recto/actor'
import type { DefaultLevel, Granted, Placed } from './access.policy.ts'

/** For each grant the kind of its holder, their id and the role. */
type Held = ['user' | 'team', string, Role][] | null

interface Row {
  parent: string | null
  defaultLevel: DefaultLevel
  organizationId: string
}

/**
 * Makes the reader of a space or collection by id, with what an actor and their teams were granted on it and above it: all that
 * `viewOf` needs. What lies above is read only where there is something: even the plan of a walk that is not taken costs each read.
 */
export function placedReader<Found extends Row>(
  object: 'space' | 'collection',
  columns: string,
): (db: Db, id: string, actor: Actor) => Promise<(Found & Placed) | undefined> {
  const read = prepared<Found & { held: Held }>(
    `${object}-for`,
    `select ${columns}, ${heldOn(object)} from ${object}s where id = $1`,
  )
  return async (db, id, actor) => {
    const teams = actor.memberships.flatMap(membership => membership.teams)
    const [row] = await read(db, [id, actor.userId, teams])
    if (!row) return undefined
    const { held, ...found } = row
    const above = found.parent === null ? null : await readAbove(db, [found.parent, actor.userId, teams])
    return { ...(found as unknown as Found), ...grantsOf(held), above }
  }
}

// With `= any` Postgres would take the number of teams into account, and plan the statement for each request.
function granted(object: string, id: string): string {
  return `from grants where object = '${object}' and object_id = ${id}
    and (subject = 'user' and subject_id = $2 or subject = 'team' and array_position($3::text[], subject_id) is not null)`
}

function heldOn(object: 'space' | 'collection'): string {
  return `(select json_agg(json_build_array(subject, subject_id, role)) ${granted(object, `${object}s.id`)}) as held`
}

const walkUp = prepared<{ defaultLevel: DefaultLevel; held: Held }>(
  'above-for',
  `with recursive up as (
     select id, parent, default_level, 1 as height from collections where id = $1
     union all select c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
   )
   select default_level as "defaultLevel", (select json_agg(json_build_array(subject, subject_id, role)) ${granted('collection', 'up.id')}) as held
   from up order by height`,
)

async function readAbove(db: Db, values: [parent: string, user: string, teams: string[]]): Promise<Granted[]> {
  return (await walkUp(db, values)).map(({ defaultLevel, held }) => ({ defaultLevel, ...grantsOf(held) }))
}

function grantsOf(held: Held): Pick<Granted, 'userGrant' | 'teamGrants'> {
  if (!held) return { userGrant: null, teamGrants: null }
  const teams = held.filter(([subject]) => subject === 'team').map(([, team, role]) => [team, role] as const)
  return { userGrant: held.find(([subject]) => subject === 'user')?.[2] ?? null, teamGrants: Object.fromEntries(teams) }
}
