import { type Db, query, untilEarliest } from '@recto/database'
import { createId } from '@recto/operation'
import { IsNull, Not } from 'typeorm'
import { hasNoOpenOperation } from '../operations/open-operations.sql.ts'
import { GitSyncEntity, type GitSyncRow } from './git-sync.entity.ts'

const isIdle = hasNoOpenOperation('git_syncs.id')

/** The synchronisation of a space. */
export async function find(db: Db, spaceId: string): Promise<GitSyncRow | undefined> {
  return (await db.findOneBy(GitSyncEntity, { spaceId })) ?? undefined
}

/** A synchronisation by its own id. */
export async function findById(db: Db, id: string): Promise<GitSyncRow | undefined> {
  return (await db.findOneBy(GitSyncEntity, { id })) ?? undefined
}

/** Reads the synchronisation of a space and locks it until the transaction ends; the caller holds the lock of the space. */
export async function lock(db: Db, spaceId: string): Promise<GitSyncRow | undefined> {
  const sync = await db.findOne(GitSyncEntity, { where: { spaceId }, lock: { mode: 'pessimistic_write' } })
  return sync ?? undefined
}

/** Writes the synchronisation of a space, and replaces an earlier one. */
export async function save(db: Db, sync: GitSyncRow): Promise<void> {
  await db.upsert(GitSyncEntity, sync, ['spaceId'])
}

/** Changes a synchronisation. */
export async function update(db: Db, { id }: Pick<GitSyncRow, 'id'>, changes: Partial<GitSyncRow>): Promise<void> {
  await db.update(GitSyncEntity, { id }, changes)
}

/** Deletes the synchronisation of a space. */
export async function remove(db: Db, spaceId: string): Promise<void> {
  await db.delete(GitSyncEntity, { spaceId })
}

/** Ids of the spaces whose synchronisation is due, longest first, except those with a queued or running operation of it. */
export async function findDue(db: Db, limit: number): Promise<string[]> {
  const rows = await query<Pick<GitSyncRow, 'spaceId'>>(
    db,
    `select space_id as "spaceId" from git_syncs where due_at <= now() and ${isIdle} order by due_at limit $1`,
    [limit],
  )
  return rows.map(({ spaceId }) => spaceId)
}

/** Milliseconds until the next synchronisation is due. */
export async function untilDue(db: Db): Promise<number> {
  return untilEarliest(db, 'select min(due_at) from git_syncs')
}

/** Ids of all spaces that are synchronised. */
export async function listSpaces(db: Db): Promise<string[]> {
  const rows = await db.find(GitSyncEntity, { select: { spaceId: true } })
  return rows.map(({ spaceId }) => spaceId)
}

/** Requests a decision on the next operation of a space whose main content is exported: at once, or when its running operation ends. */
export async function requestDecision(db: Db, spaceId: string): Promise<void> {
  await db.update(GitSyncEntity, { spaceId, direction: Not('import' as const) }, { askId: createId() })
}

/** Requests a decision for all spaces whose main content is exported, except where one is requested already. */
export async function requestAllDecisions(db: Db): Promise<void> {
  await db.update(GitSyncEntity, { direction: Not('import' as const), askId: IsNull() }, { askId: createId() })
}

/** Ids of the spaces that await a decision and have no queued or running operation of their synchronisation. */
export async function findAwaitingDecision(db: Db, limit: number): Promise<string[]> {
  const rows = await query<Pick<GitSyncRow, 'spaceId'>>(
    db,
    `select space_id as "spaceId" from git_syncs where ask_id is not null and ${isIdle} order by space_id limit $1`,
    [limit],
  )
  return rows.map(({ spaceId }) => spaceId)
}

/** Milliseconds until `findAwaitingDecision` finds one. */
export async function untilAwaitingDecision(db: Db): Promise<number> {
  return (await findAwaitingDecision(db, 1)).length > 0 ? 0 : Infinity
}

/** The synchronisations with a running poll. */
export async function listPolled(db: Db): Promise<GitSyncRow[]> {
  return db.findBy(GitSyncEntity, { pollId: Not(IsNull()) })
}

/** Inserts rows by their column names; existing rows stay. */
export async function insertColumns(db: Db, rows: Record<string, unknown>[]): Promise<void> {
  const values = 'select * from jsonb_populate_recordset(null::git_syncs, $1)'
  await query(db, `insert into git_syncs ${values} on conflict do nothing`, [JSON.stringify(rows)])
}

/** The synchronisation that an operation belongs to, while there is one. */
export async function findOf(db: Db, { syncId }: { syncId: string | null }): Promise<GitSyncRow | undefined> {
  return syncId === null ? undefined : findById(db, syncId)
}
