import { prepared, type Db } from '@recto/database'
import type { Actor } from '@recto/actor'
import type { AclGrants, DefaultLevel, ResourceWithAcl } from '../access/access.policy.ts'
import { grantsToActor, type GrantTuples, parseGrants } from '../access/grants.sql.ts'
import type { ResourceRow } from './resource.entity.ts'

/** A row with the grants on it, as `grantsToActor` selects them. */
export type RowWithGrants<Row> = Row & { grants: GrantTuples }

/** Reads a resource by id, with the grants of an actor and their teams on it and above it, for `resolveAccess`. */
export type AclReader<Row> = (db: Db, id: string, actor: Actor) => Promise<(Row & ResourceWithAcl) | undefined>

/**
 * Makes the reader of a type of resource from the statement that reads its row by `$1` with `grantsToActor`. The collections above are
 * read by a second statement, only when there are any: planning a recursive walk costs even when there is nothing to walk.
 */
export function aclReader<Row extends ResourceRow>(
  readRow: (db: Db, values: unknown[]) => Promise<RowWithGrants<Row>[]>,
): AclReader<Row> {
  return async (db, id, actor) => {
    const teams = actor.memberships.flatMap(membership => membership.teams)
    const [row] = await readRow(db, [id, actor.userId, teams])
    if (!row) return undefined
    const above = row.parent === null ? null : await readAncestors(db, [row.parent, actor.userId, teams])
    // Assigned to the row: a copy of all its columns would cost as much as parsing them. `grants` stays on it, unseen by its type.
    return Object.assign(row, parseGrants(row.grants), { above })
  }
}

const ancestors = prepared<{ id: string; defaultLevel: DefaultLevel; grants: GrantTuples }>(
  'ancestors-with-acl',
  `with recursive up as (
     select id, parent, default_level, 1 as height from collections where id = $1
     union all select c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
   )
   select id, default_level as "defaultLevel", ${grantsToActor('collection', 'up.id')} as grants from up order by height`,
)

async function readAncestors(db: Db, values: [parent: string, user: string, teams: string[]]): Promise<AclGrants[]> {
  const rows = await ancestors(db, values)
  return rows.map(({ id, defaultLevel, grants }) => ({ id, defaultLevel, ...parseGrants(grants) }))
}
