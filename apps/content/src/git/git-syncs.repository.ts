import { type Db, query, untilEarliest } from '@recto/database'
import { MoreThan, Not } from 'typeorm'
import { GitSyncEntity, type GitSyncRow } from './git-sync.entity.ts'

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

/** Writes the synchronisation of a space, over the one that it has. */
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

/** Ids of the spaces whose synchronisation is due, the longest first; not those where something of it is queued or running. */
export async function findDue(db: Db, limit: number): Promise<string[]> {
  const rows = await query<Pick<GitSyncRow, 'spaceId'>>(
    db,
    `select space_id as "spaceId" from git_syncs where due_at <= now() and not exists (
       select 1 from git_operations where git_operations.sync_id = git_syncs.id and state in ('queued', 'running')
     ) order by due_at limit $1`,
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

/** Ids of the spaces behind an id, in their order, whose main content is exported. */
export async function listExporting(db: Db, { after, limit }: { after: string; limit: number }): Promise<string[]> {
  const where = { direction: Not('import' as const), spaceId: MoreThan(after) }
  const rows = await db.find(GitSyncEntity, {
    select: { spaceId: true },
    where,
    order: { spaceId: 'ASC' },
    take: limit,
  })
  return rows.map(({ spaceId }) => spaceId)
}

/** The synchronisation that an operation belongs to, while there is one. */
export async function findOf(db: Db, { syncId }: { syncId: string | null }): Promise<GitSyncRow | undefined> {
  return syncId === null ? undefined : findById(db, syncId)
}
