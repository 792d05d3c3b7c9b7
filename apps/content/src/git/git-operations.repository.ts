import { type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { GitOperationEntity, type GitOperationRow } from './git-operation.entity.ts'

const columns = `id, space_id as "spaceId", direction, state, dispatched, stage, progress, url, credentials, ref, options, timestamp,
  attempts, heartbeat_at as "heartbeatAt", created_by as "createdBy", created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt", revision, commit_oid as "commit", error, warnings`

export async function find(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const [operation] = await query<GitOperationRow>(db, `select ${columns} from git_operations where id = $1`, [id])
  return operation
}

export async function lock(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const [operation] = await query<GitOperationRow>(db, `select ${columns} from git_operations where id = $1 for update`, [id])
  return operation
}

export async function insert(db: Db, operation: GitOperationRow): Promise<void> {
  await db.insert(GitOperationEntity, operation)
}

export async function change(db: Db, id: string, changes: Partial<GitOperationRow>): Promise<void> {
  await db.update(GitOperationEntity, { id }, changes)
}

/** Changes an operation that this attempt still holds; false when it does not. */
export async function changeHeld(db: Db, held: { id: string; attempt: number }, changes: Partial<GitOperationRow>): Promise<boolean> {
  const { affected } = await db.update(GitOperationEntity, { id: held.id, state: 'running', attempts: held.attempt }, changes)
  return affected === 1
}

export async function listOf(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<GitOperationRow>> {
  const source = {
    sql: `select ${columns} from git_operations where space_id = $1`,
    values: [spaceId],
    ...newestFirst,
  }
  return listPage<GitOperationRow>(db, source, request)
}

/** Whether an operation of the space has been handed out and has not ended. */
export async function isLaneBusy(db: Db, spaceId: string): Promise<boolean> {
  const rows = await query(db, `select 1 from git_operations where space_id = $1 and dispatched and state in ('queued', 'running') limit 1`, [spaceId])
  return rows.length > 0
}

/** The next operation of the space that waits for its turn. */
export async function nextInLane(db: Db, spaceId: string): Promise<GitOperationRow | undefined> {
  const [next] = await query<GitOperationRow>(
    db,
    `select ${columns} from git_operations where space_id = $1 and state = 'queued' and not dispatched order by created_at, id limit 1 for update`,
    [spaceId],
  )
  return next
}

/** The latest timestamp among the operations of a space that succeeded and moved main content. */
export async function lastFinished(db: Db, spaceId: string): Promise<Date | null> {
  const [row] = await query<{ last: Date | null }>(
    db,
    `select max(timestamp) as last from git_operations where space_id = $1 and state = 'success' and not (options->>'standalone')::boolean`,
    [spaceId],
  )
  return row?.last ?? null
}

/** Operations whose worker fell silent at their last attempt. */
export async function silent(db: Db, { attempts, seconds }: { attempts: number; seconds: number }): Promise<GitOperationRow[]> {
  return query<GitOperationRow>(
    db,
    `select ${columns} from git_operations where state = 'running' and attempts >= $1 and heartbeat_at < now() - make_interval(secs => $2)`,
    [attempts, seconds],
  )
}
