import { query, type Db } from '@recto/database'
import { positionAfter } from './ordering.rules.ts'

/** The parent of siblings: a collection, or the root of an organization (null). */
export interface SiblingGroup {
  organization: string
  parent: string | null
}

/**
 * Serializes changes of the order of siblings until the transaction ends: two that read the same neighbors would choose the same
 * position. The order of locks is: the parent collection, its siblings, then the resource that is put among them.
 */
export async function lockSiblings(db: Db, { organization, parent }: SiblingGroup): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`siblings ${organization} ${parent ?? ''}`])
}

/** The position after all siblings, including deleted ones, so that a restored one has a position of its own. */
export async function positionAtEnd(db: Db, { organization, parent }: SiblingGroup): Promise<string> {
  const [row] = await query<{ position: string | null }>(
    db,
    `select max(position) as position from resources where organization_id = $1 and ${parent === null ? 'parent is null' : 'parent = $2'}`,
    parent === null ? [organization] : [organization, parent],
  )
  return positionAfter(row?.position ?? null)
}
