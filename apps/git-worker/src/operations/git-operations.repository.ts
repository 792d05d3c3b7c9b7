import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import { findDue, stateJobs, untilDue, updateHeld } from '@recto/jobs'
import { In, IsNull, Not, Raw } from 'typeorm'
import { GitOperationEntity, type GitOperationRow } from './git-operation.entity.ts'
import { leaseLength, maxAttempts, type OrganizationLoad } from './git-operations.rules.ts'

const columns = columnsOf(GitOperationEntity, 'git_operations')

/** Dispatched operations, whose attempts have leases. The bus delivers them to workers, and the row records the lease. */
export const operationJobs = stateJobs<GitOperationRow>({
  entity: GitOperationEntity,
  waiting: 'queued',
  running: 'running',
  leaseMs: leaseLength,
  maxAttempts,
  open: `job.dispatched and job.state in ('queued', 'running')`,
  group: 'job.organization_id',
})

/** Operations at their last attempt; they are due when its lease has expired. */
export const exhaustedJobs = { ...operationJobs, open: `job.state = 'running' and job.attempts >= ${maxAttempts}` }

/** The condition of operations that are not for the preview of a pull request. */
const ofNoPreview = () => Raw(column => `${column} ->> 'preview' is null`)

/** The condition of operations that are with a repository, and not for a preview. */
const ofRepository = () => Raw(column => `${column} ->> 'preview' is null and ${column} -> 'push' is null`)

/** An operation by id. */
export async function find(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const operation = await db.findOneBy(GitOperationEntity, { id })
  return operation ?? undefined
}

/** The operation of a space with its repository that started last, of those that were not skipped. */
export async function findLatest(db: Db, spaceId: string): Promise<GitOperationRow | undefined> {
  const state = Not<GitOperationRow['state']>('skipped')
  const where = { spaceId, startedAt: Not(IsNull()), state, options: ofRepository() }
  return (await db.findOne(GitOperationEntity, { where, order: { startedAt: 'DESC', id: 'DESC' } })) ?? undefined
}

/** Reads an operation and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<GitOperationRow | undefined> {
  const operation = await db.findOne(GitOperationEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
  return operation ?? undefined
}

/** Writes a new operation. */
export async function insert(db: Db, operation: GitOperationRow): Promise<void> {
  await db.insert(GitOperationEntity, operation)
}

/** Changes an operation. */
export async function update(db: Db, id: string, changes: Partial<GitOperationRow>): Promise<void> {
  await db.update(GitOperationEntity, { id }, changes)
}

/** Changes an operation when this attempt holds its lease; false when it does not. */
export async function updateLeased(
  db: Db,
  attempt: { id: string; attempt: number },
  changes: Partial<GitOperationRow>,
): Promise<boolean> {
  return updateHeld(db, operationJobs, { row: { id: attempt.id, attempts: attempt.attempt }, changes })
}

/** Operations that have not ended, the oldest first; at most a thousand. */
export async function listOpen(db: Db): Promise<GitOperationRow[]> {
  return db.find(GitOperationEntity, {
    where: { state: In(['queued', 'running']) },
    order: { createdAt: 'ASC' },
    take: 1_000,
  })
}

/** Ids of the operations that have credentials. */
export async function listWithCredentials(db: Db): Promise<string[]> {
  const rows = await db.find(GitOperationEntity, { select: { id: true }, where: { credentials: Not(IsNull()) } })
  return rows.map(({ id }) => id)
}

/** The operations of a space, the newest first. */
export async function listOf(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<GitOperationRow>> {
  const source = {
    sql: `select ${columns} from git_operations where space_id = $1`,
    values: [spaceId],
    ...newestFirst,
  }
  return listPage<GitOperationRow>(db, source, request)
}

/** Whether an operation of the space is dispatched and has not ended. */
export async function isQueueBusy(db: Db, spaceId: string): Promise<boolean> {
  return db.existsBy(GitOperationEntity, { spaceId, dispatched: true, state: In(['queued', 'running']) })
}

/** Whether an operation is dispatched and has not ended. */
export async function isDispatched(db: Db, id: string): Promise<boolean> {
  return db.existsBy(GitOperationEntity, { id, dispatched: true, state: In(['queued', 'running']) })
}

/** Whether an operation of a synchronisation is queued or running. */
export async function isOpenOf(db: Db, syncId: string): Promise<boolean> {
  return db.existsBy(GitOperationEntity, { syncId, state: In(['queued', 'running']), options: ofNoPreview() })
}

/** The latest operation of a synchronisation in one direction. */
export async function latestOf(
  db: Db,
  syncId: string,
  direction: GitOperationRow['direction'],
): Promise<GitOperationRow | undefined> {
  const latest = await db.findOne(GitOperationEntity, {
    where: { syncId, direction, options: ofNoPreview() },
    order: { createdAt: 'DESC', id: 'DESC' },
  })
  return latest ?? undefined
}

/** The next queued operation of a space, locked; undefined when there is none. */
export async function nextInQueue(db: Db, spaceId: string): Promise<GitOperationRow | undefined> {
  const next = await db.findOne(GitOperationEntity, {
    where: { spaceId, state: 'queued', dispatched: false },
    order: { createdAt: 'ASC', id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  })
  return next ?? undefined
}

/** Lets one transaction at a time decide about the turns of an organization, until it ends. */
export async function lockTurns(db: Db, organizationId: string): Promise<void> {
  await query(db, `select pg_advisory_xact_lock(hashtextextended('git turns ' || $1, 4))`, [organizationId])
}

const isOpen = `state in ('queued', 'running')`
const isNext = `state = 'queued' and not dispatched and not exists (
  select 1 from git_operations busy where busy.space_id = o.space_id and busy.dispatched and busy.${isOpen})`

/** Counts the running operations of an operation's organization, and its other spaces that wait. */
export async function loadOf(
  db: Db,
  { organizationId, spaceId }: Pick<GitOperationRow, 'organizationId' | 'spaceId'>,
): Promise<OrganizationLoad> {
  const [row] = await query<OrganizationLoad>(
    db,
    `select count(*) filter (where dispatched)::int as dispatched,
       count(distinct space_id) filter (where space_id <> $2 and ${isNext})::int as waiting
     from git_operations o where organization_id = $1 and ${isOpen}`,
    [organizationId, spaceId],
  )
  return row ?? { dispatched: 0, waiting: 0 }
}

/** The spaces whose next operation may be dispatched now, the oldest of each organization first, up to the limit of each. */
export async function findWaitingSpaces(db: Db, limit: number): Promise<string[]> {
  const rows = await query<{ spaceId: string }>(
    db,
    `with heads as (
       select distinct on (space_id) space_id, organization_id, created_at, id
       from git_operations o where ${isOpen} and ${isNext} order by space_id, created_at, id
     ), ranked as (
       select *, row_number() over (partition by organization_id order by created_at, id) as turn from heads
     )
     select space_id as "spaceId" from ranked where turn <= $1 - (
       select count(*) from git_operations busy
       where busy.organization_id = ranked.organization_id and busy.dispatched and busy.${isOpen}
     ) order by turn, created_at`,
    [limit],
  )
  return rows.map(({ spaceId }) => spaceId)
}

/** Milliseconds until an operation may have its turn: 0 while any waits, since turns depend on other operations; infinite when none waits. */
export async function untilSlot(db: Db): Promise<number> {
  const isWaiting = await db.existsBy(GitOperationEntity, { state: 'queued', dispatched: false })
  return isWaiting ? 0 : Infinity
}

/** The latest timestamp among the operations of a space that succeeded and synchronised main content. */
export async function latestTimestamp(db: Db, spaceId: string): Promise<Date | null> {
  const [row] = await query<{ last: Date | null }>(
    db,
    `select max(timestamp) as last from git_operations where space_id = $1 and state = 'success' and not (options->>'standalone')::boolean`,
    [spaceId],
  )
  return row?.last ?? null
}

/** Ids of the operations whose last attempt stopped reporting; at most a thousand. */
export async function findExhausted(db: Db): Promise<string[]> {
  return (await findDue(db, exhaustedJobs, { limit: 1_000 })).map(({ key }) => key)
}

/** Milliseconds until `findExhausted` has a result. */
export const untilExhausted = (db: Db): Promise<number> => untilDue(db, exhaustedJobs)

/** Deletes the credentials of operations that ended more than this number of days ago. */
export async function deleteExpiredCredentials(db: Db, days: number): Promise<void> {
  const long = Raw(column => `${column} < now() - make_interval(days => :days)`, { days })
  await db.update(GitOperationEntity, { credentials: Not(IsNull()), completedAt: long }, { credentials: null })
}

/** Ids of the dispatched operations of a space that have not ended; a job has the id of its operation. */
export async function findOpenJobs(db: Db, spaceId: string): Promise<string[]> {
  const open = { spaceId, dispatched: true, state: In(['queued', 'running']) }
  const jobs = await db.find(GitOperationEntity, { select: { id: true }, where: open })
  return jobs.map(({ id }) => id)
}

/** The dispatched operations that have not ended. */
export async function listDispatched(db: Db): Promise<GitOperationRow[]> {
  return db.findBy(GitOperationEntity, { dispatched: true, state: In(['queued', 'running']) })
}

/** Inserts rows by their column names; existing rows stay. */
export async function insertColumns(db: Db, rows: Record<string, unknown>[]): Promise<void> {
  const values = 'select * from jsonb_populate_recordset(null::git_operations, $1)'
  await query(db, `insert into git_operations ${values} on conflict do nothing`, [JSON.stringify(rows)])
}

/** Deletes the operations of a space. */
export async function deleteOf(db: Db, spaceId: string): Promise<void> {
  await db.delete(GitOperationEntity, { spaceId })
}

const isOfFolder = `space_id = $1
  and trim(both './' from coalesce(options->>'repoProjectDirectory', '')) = trim(both './' from $2)`
const ofFolder = ({ spaceId, options, ref }: GitOperationRow) => [spaceId, options.repoProjectDirectory ?? '', ref]

/**
 * The operations that pushed to the same folder and branch of any repository and did not succeed, this one included. The commits of the branch
 * show whether it has their pushes.
 */
export async function pushesOf(db: Db, operation: GitOperationRow): Promise<GitOperationRow[]> {
  return query<GitOperationRow>(
    db,
    `select ${columns} from git_operations
     where ${isOfFolder} and ref = $3 and direction = 'export' and state <> 'success' and options->'pushed' is not null
     order by created_at desc limit 20`,
    ofFolder(operation),
  )
}

/** The last operation that synchronised main content with the same folder of the repository, preferably with the same branch. */
export async function lastSynchronised(db: Db, operation: GitOperationRow): Promise<GitOperationRow | undefined> {
  const [row] = await query<GitOperationRow>(
    db,
    `select ${columns} from git_operations
     where ${isOfFolder} and regexp_replace(url, '(\.git)?/*$', '') = regexp_replace($4, '(\.git)?/*$', '')
       and state = 'success' and revision is not null and not (options->>'standalone')::boolean
     order by ref = $3 desc, completed_at desc limit 1`,
    [...ofFolder(operation), operation.url],
  )
  return row
}

/** The revision of main content that a synchronisation made of a commit, or exported as it; undefined where there is none. */
export async function revisionOfCommit(
  db: Db,
  { syncId, commit }: { syncId: string; commit: string },
): Promise<string | undefined> {
  const [row] = await query<{ revision: string }>(
    db,
    `select revision from git_operations
     where sync_id = $1 and commit_oid = $2 and state = 'success' and revision is not null
       and not (options->>'standalone')::boolean
     order by created_at desc limit 1`,
    [syncId, commit],
  )
  return row?.revision
}
