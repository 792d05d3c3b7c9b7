import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { In, IsNull, MoreThanOrEqual, Not, Raw } from 'typeorm'
import { GitOperationEntity, type GitOperationRow } from './git-operation.entity.ts'

const columns = columnsOf(GitOperationEntity, 'git_operations')

export async function find(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const operation = await db.findOneBy(GitOperationEntity, { id })
  return operation ?? undefined
}

export async function lock(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const operation = await db.findOne(GitOperationEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return operation ?? undefined
}

export async function insert(db: Db, operation: GitOperationRow): Promise<void> {
  await db.insert(GitOperationEntity, operation)
}

export async function change(db: Db, id: string, changes: Partial<GitOperationRow>): Promise<void> {
  await db.update(GitOperationEntity, { id }, changes)
}

/** Changes an operation that this attempt still holds; false when it does not. */
export async function changeHeld(
  db: Db,
  held: { id: string; attempt: number },
  changes: Partial<GitOperationRow>,
): Promise<boolean> {
  const { affected } = await db.update(
    GitOperationEntity,
    { id: held.id, state: 'running', attempts: held.attempt },
    changes,
  )
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
  return db.existsBy(GitOperationEntity, { spaceId, dispatched: true, state: In(['queued', 'running']) })
}

/** The next operation of the space that waits for its turn. */
export async function nextInLane(db: Db, spaceId: string): Promise<GitOperationRow | undefined> {
  const next = await db.findOne(GitOperationEntity, {
    where: { spaceId, state: 'queued', dispatched: false },
    order: { createdAt: 'ASC', id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  })
  return next ?? undefined
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
export async function silent(
  db: Db,
  { attempts, seconds }: { attempts: number; seconds: number },
): Promise<GitOperationRow[]> {
  const long = Raw(column => `${column} < now() - make_interval(secs => :seconds)`, { seconds })
  return db.findBy(GitOperationEntity, { state: 'running', attempts: MoreThanOrEqual(attempts), heartbeatAt: long })
}

/** Forgets the credentials of operations that ended so many days ago. */
export async function forgetCredentials(db: Db, days: number): Promise<void> {
  const long = Raw(column => `${column} < now() - make_interval(days => :days)`, { days })
  await db.update(GitOperationEntity, { credentials: Not(IsNull()), completedAt: long }, { credentials: null })
}
