import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { In } from 'typeorm'
import type { Viewer } from '../access/access.policy.ts'
import { callerValues } from '../access/roles.sql.ts'
import { readableSpacesCte } from '../resources/readable-spaces.sql.ts'
import { spaceReader } from '../resources/spaces.repository.ts'
import { isShownBySiteSql } from '../sites/site-spaces.sql.ts'
import { ContentImportEntity, type ContentImportRow } from './content-import.entity.ts'

const columns = columnsOf(ContentImportEntity, 'content_imports')

/** An import with the organization of its space. */
export type ImportOfOrganization = ContentImportRow & { organizationId: string }

/** The imports that a list selects; without a field, all. */
export interface RunFilter {
  space?: string | undefined
  changeRequest?: string | undefined
  site?: string | undefined
  states?: ContentImportRow['state'][] | undefined
}

/** Lists the imports into all spaces of an organization that the viewer can read, the newest first. */
export async function listOfOrganization(
  db: Db,
  { viewer, organization, ...filter }: RunFilter & { viewer: Viewer; organization: string },
  request: ListRequest,
): Promise<ListPage<ImportOfOrganization>> {
  const { space, changeRequest, site, states } = filter
  const callers = callerValues(viewer)
  const values = [...callers, organization, space ?? null, changeRequest ?? null, site ?? null, states ?? null]
  const at = (number: number) => `$${callers.length + number}`
  const sql = `with recursive ${readableSpacesCte()}
    select ${columns}, ${at(1)}::text as "organizationId"
    from content_imports join readable_space on readable_space.id = content_imports.space_id
    where (${at(2)}::text is null or content_imports.space_id = ${at(2)})
      and (${at(3)}::text is null or content_imports.change_request_id = ${at(3)})
      and (content_imports.site_id = ${at(4)} or ${isShownBySiteSql({ space: 'content_imports.space_id', site: at(4) })})
      and (${at(5)}::text[] is null or content_imports.state = any(${at(5)}))`
  return listPage<ImportOfOrganization>(db, { sql, values, ...newestFirst }, request)
}

/** Whether an import is one that the replies of its space and change request show: it is open, or ended within a day. */
const isCurrent = `(content_imports.state in ('queued', 'running') or content_imports.completed_at > now() - interval '24 hours')`

/** Reads a space with the grants of an actor, and whether it has current imports. */
export const findSpaceWithImports = spaceReader<{ hasCurrentImports: boolean }>(
  'space-with-imports',
  space => `exists (select from content_imports where space_id = ${space} and ${isCurrent}) as "hasCurrentImports"`,
)

/** Lists the imports into the content of a space or change request that are open, or ended within a day, the newest first. */
export async function listCurrent(
  db: Db,
  of: { organizationId: string; spaceId: string; changeRequestId: string | undefined; limit: number },
): Promise<ImportOfOrganization[]> {
  const rows = await query<ContentImportRow>(
    db,
    `select ${columns} from content_imports
     where space_id = $1 and ($2::text is null or change_request_id = $2)
       and ${isCurrent}
     order by created_at desc, id desc limit $3`,
    [of.spaceId, of.changeRequestId ?? null, of.limit],
  )
  return rows.map(row => ({ ...row, organizationId: of.organizationId }))
}

/** Ends an import that is open as cancelled; false when it has ended. Whoever works on it loses its lease. */
export async function cancel(db: Db, id: string): Promise<boolean> {
  const open = { id, state: In<ContentImportRow['state']>(['queued', 'running']) }
  const changes = { state: 'cancelled' as const, completedAt: new Date(), heartbeatAt: null }
  const { affected } = await db.update(ContentImportEntity, open, changes)
  return affected === 1
}
