import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { stateJobs } from '@recto/jobs'
import { organizationOfSpace } from '../resources/organization-of-space.sql.ts'
import { ContentImportEntity, type ContentImportRow } from './content-import.entity.ts'
import { leaseMs, maxAttempts } from './imports.rules.ts'

const columns = columnsOf(ContentImportEntity, 'content_imports')

/** Finds an import by id. */
export async function find(db: Db, id: string): Promise<ContentImportRow | undefined> {
  return (await db.findOneBy(ContentImportEntity, { id })) ?? undefined
}

export async function insert(db: Db, row: ContentImportRow): Promise<void> {
  await db.insert(ContentImportEntity, row)
}

export async function update(db: Db, id: string, changes: Partial<ContentImportRow>): Promise<void> {
  await db.update(ContentImportEntity, { id }, changes)
}

/** Lists the imports of a space, the newest first. */
export async function listOf(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<ContentImportRow>> {
  const sql = `select ${columns} from content_imports where space_id = $1`
  return listPage<ContentImportRow>(db, { sql, values: [spaceId], ...newestFirst }, request)
}

/** The queue of imports. */
export const importJobs = stateJobs<ContentImportRow>({
  entity: ContentImportEntity,
  waiting: 'queued',
  running: 'running',
  leaseMs,
  maxAttempts,
  group: organizationOfSpace('job.space_id'),
})

/** Whether any import is running: imports store files long before a revision references them. */
export async function hasRunningImports(db: Db): Promise<boolean> {
  return db.existsBy(ContentImportEntity, { state: 'running' })
}

/** Finds the ids of all spaces with a running import. */
export async function spacesWithRunningImports(db: Db): Promise<string[]> {
  const rows = await db.find(ContentImportEntity, { select: { spaceId: true }, where: { state: 'running' } })
  return rows.map(({ spaceId }) => spaceId)
}
