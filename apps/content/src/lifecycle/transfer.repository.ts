import { query, type Db } from '@recto/database'
import { roles, type Role } from '@recto/operation'
import { below } from './lifecycle.repository.ts'

/** What is given away: a space, or a collection with all that is in it. */
export interface Estate {
  spaces: string[]
  collections: string[]
}

/** A collection, the collections below it and the spaces in them, deleted ones too. */
export async function estateOf(db: Db, collection: string): Promise<Estate> {
  const collections = await query<{ id: string }>(db, `with recursive ${below('$1')} select id from below order by id`, [collection])
  const ids = collections.map(({ id }) => id)
  const spaces = await query<{ id: string }>(db, 'select id from spaces where parent = any($1) order by id', [ids])
  return { collections: ids, spaces: spaces.map(({ id }) => id) }
}

/** Spaces that lie in these collections, kept from being moved until the transaction ends. */
export async function lockSpacesIn(db: Db, collections: string[]): Promise<string[]> {
  await query(db, 'select 1 from spaces where parent = any($1) order by id for update', [collections])
  const rows = await query<{ id: string }>(db, 'select id from spaces where parent = any($1) order by id', [collections])
  return rows.map(({ id }) => id)
}

const granted = `(object = 'space' and object_id = any($1) or object = 'collection' and object_id = any($2))`

/** Users who were granted something of it. */
export async function grantedUsers(db: Db, { spaces, collections }: Estate): Promise<string[]> {
  const rows = await query<{ id: string }>(db, `select distinct subject_id as id from grants where subject = 'user' and ${granted}`, [spaces, collections])
  return rows.map(({ id }) => id)
}

/** Gives it to an organization, with the grants to these users; what was granted to others ends. */
export async function give(db: Db, { spaces, collections }: Estate, { organization, users }: { organization: string; users: string[] }): Promise<void> {
  await query(db, 'set constraints collections_parent, spaces_parent deferred')
  await query(db, 'update collections set organization_id = $2, updated_at = now() where id = any($1)', [collections, organization])
  await query(db, 'update spaces set organization_id = $2, updated_at = now() where id = any($1)', [spaces, organization])
  await query(db, `delete from grants where ${granted} and not (subject = 'user' and subject_id = any($3))`, [spaces, collections, users])
  await query(db, `update grants set organization_id = $3 where ${granted}`, [spaces, collections, organization])
}

/** Leaves nobody more on it than this role: neither by a grant nor by a default level. */
export async function lowerTo(db: Db, { spaces, collections }: Estate, role: Role): Promise<void> {
  const above = roles.slice(roles.indexOf(role) + 1)
  await query(db, `update grants set role = $3 where ${granted} and role = any($4)`, [spaces, collections, role, above])
  await query(db, 'update collections set default_level = $2 where id = any($1) and default_level = any($3)', [collections, role, above])
  await query(db, 'update spaces set default_level = $2 where id = any($1) and default_level = any($3)', [spaces, role, above])
}

/** Puts what was given on its place in the organization, which no collection opens or closes any more. */
export async function settle(db: Db, table: 'spaces' | 'collections', { id, position, defaultLevel }: { id: string; position: string; defaultLevel: string | null }): Promise<void> {
  await query(db, `update ${table} set parent = null, position = $2, default_level = $3 where id = $1`, [id, position, defaultLevel])
}
