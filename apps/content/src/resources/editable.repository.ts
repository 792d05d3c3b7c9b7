import { roles } from '@recto/actor'
import { query, type Db } from '@recto/database'
import { callerValues } from '../access/roles.sql.ts'
import type { Viewer } from '../access/access.policy.ts'
import { readableSpacesCte } from './readable-spaces.sql.ts'

const editing = roles.slice(roles.indexOf('edit'))

/** Whether the caller has the role `edit` or a higher one on any space of the organization. */
export async function hasEditableSpace(db: Db, viewer: Viewer): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(
    db,
    `with recursive ${readableSpacesCte()} select exists (select from readable_space where role = any($6)) as found`,
    [...callerValues(viewer), editing],
  )
  return row?.found === true
}
