import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { findWaitingRows, untilRowWaits } from '../queues/queued-rows.repository.ts'
import { ContentImportEntity, type ContentImportRow } from './content-import.entity.ts'

const columns = columnsOf(ContentImportEntity, 'content_imports')

/** An import by id. */
export async function find(db: Db, id: string): Promise<ContentImportRow | undefined> {
  return (await db.findOneBy(ContentImportEntity, { id })) ?? undefined
}

/** Reads an import and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<ContentImportRow | undefined> {
  return (await db.findOne(ContentImportEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** Writes a new import. */
export async function insert(db: Db, row: ContentImportRow): Promise<void> {
  await db.insert(ContentImportEntity, row)
}

/** Changes an import. */
export async function update(db: Db, id: string, changes: Partial<ContentImportRow>): Promise<void> {
  await db.update(ContentImportEntity, { id }, changes)
}

/** Changes an import whose lease this attempt holds; false when it does not. */
export async function updateLeased(
  db: Db,
  held: { id: string; attempt: number },
  changes: Partial<ContentImportRow>,
): Promise<boolean> {
  const { affected } = await db.update(
    ContentImportEntity,
    { id: held.id, state: 'running', attempts: held.attempt },
    changes,
  )
  return affected === 1
}

/** The imports of a space, the newest first. */
export async function listOf(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<ContentImportRow>> {
  const sql = `select ${columns} from content_imports where space_id = $1`
  return listPage<ContentImportRow>(db, { sql, values: [spaceId], ...newestFirst }, request)
}

/** Ids of imports that nobody works on: queued ones, and those without a sign of life for so many milliseconds. */
export function findWaiting(db: Db, silence: number): Promise<string[]> {
  return findWaitingRows(db, 'content_imports', silence)
}

/** Milliseconds until `findWaiting` finds one. */
export function untilWaiting(db: Db, silence: number): Promise<number> {
  return untilRowWaits(db, 'content_imports', silence)
}

/** Whether any import is running: it stores files long before a revision references them. */
export async function hasRunningImports(db: Db): Promise<boolean> {
  return db.existsBy(ContentImportEntity, { state: 'running' })
}

/** Ids of all spaces with a running import. */
export async function spacesWithRunningImports(db: Db): Promise<string[]> {
  const running = await db.find(ContentImportEntity, { select: { spaceId: true }, where: { state: 'running' } })
  return running.map(({ spaceId }) => spaceId)
}
