import { query, type Db } from '@recto/database'
import { positionAfter } from './ordering.rules.ts'

/** Where siblings are: in a collection, or in none. */
export interface Siblings {
  organization: string
  parent: string | null
}

/**
 * Makes everybody wait who orders these siblings, until the transaction ends: two who read the same neighbours would make the
 * same position. A collection is locked before its siblings-to-be, and what comes among them after.
 */
export async function lockSiblings(db: Db, { organization, parent }: Siblings): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`siblings ${organization} ${parent ?? ''}`])
}

/** The position behind all siblings, also deleted ones: who is restored comes back to a place of their own. */
export async function endOf(db: Db, { organization, parent }: Siblings): Promise<string> {
  const last = (table: string) =>
    `select max(position) as position from ${table} where organization_id = $1 and ${parent === null ? 'parent is null' : 'parent = $2'}`
  const [row] = await query<{ position: string | null }>(
    db,
    `select max(position) as position from (${last('spaces')} union all ${last('collections')}) as siblings`,
    parent === null ? [organization] : [organization, parent],
  )
  return positionAfter(row?.position ?? null)
}
