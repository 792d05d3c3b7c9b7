import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst } from '@recto/database'
import { retryDelay, type JobTable } from '@recto/jobs'
import { Not, Raw } from 'typeorm'
import { hasEnded } from '../operations/open-operations.sql.ts'
import { GitPreviewEntity, type GitPreviewRow } from './git-preview.entity.ts'

const columns = columnsOf(GitPreviewEntity, 'git_previews')

/** Milliseconds without a sign of life after which another process checks a preview. */
const leaseMs = 30_000
/** Milliseconds between attempts of a check. */
const retryTimes = { first: 2_000, longest: 60_000 }

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs)

/** Checks of imported pull requests. */
export const checkJobs: JobTable<GitPreviewRow> = {
  entity: GitPreviewEntity,
  key: 'id',
  open: `job.step = 'check'`,
  due: 'job.due_at',
  isTaken: 'job.is_taken',
  group: 'job.organization_id',
  maxAttempts: 5,
  attemptsOf: ({ attempts }) => attempts,
  take: ({ lease, attempts }, now) => ({
    isTaken: true,
    lease: lease + 1,
    attempts: attempts + 1,
    dueAt: leaseEnd(now),
  }),
  keep: now => ({ dueAt: leaseEnd(now) }),
  release: ({ attempts }, { now, isCounted }) => ({
    isTaken: false,
    attempts: isCounted ? attempts : attempts - 1,
    dueAt: new Date(now.getTime() + (isCounted ? retryDelay(attempts, retryTimes, Math.random()) : 0)),
  }),
  heldBy: ({ id, lease }) => ({ id, lease, step: 'check', isTaken: true }),
}

/** A preview by its id. */
export async function find(db: Db, id: string): Promise<GitPreviewRow | undefined> {
  return (await db.findOneBy(GitPreviewEntity, { id })) ?? undefined
}

/** Reads a preview and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<GitPreviewRow | undefined> {
  return (await db.findOne(GitPreviewEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** The open preview with a key. */
export async function findByKey(db: Db, spaceId: string, key: string): Promise<GitPreviewRow | undefined> {
  return (await db.findOneBy(GitPreviewEntity, { spaceId, key, state: 'open' })) ?? undefined
}

/** The previews of a synchronisation, locked until the transaction ends, in the order of their numbers. */
export async function lockAll(db: Db, syncId: string): Promise<GitPreviewRow[]> {
  return db.find(GitPreviewEntity, { where: { syncId }, order: { number: 'ASC' }, lock: { mode: 'pessimistic_write' } })
}

/** The preview of one pull request of a synchronisation, locked until the transaction ends. */
export async function lockNumbered(db: Db, syncId: string, number: number): Promise<GitPreviewRow | undefined> {
  const preview = await db.findOne(GitPreviewEntity, { where: { syncId, number }, lock: { mode: 'pessimistic_write' } })
  return preview ?? undefined
}

/** How many previews of a synchronisation are open. */
export async function countOpen(db: Db, syncId: string): Promise<number> {
  return db.countBy(GitPreviewEntity, { syncId, state: 'open' })
}

/** Lets the imports of a synchronisation wait again whose operation has ended without a result, as under a version without previews. */
export async function requeueLost(db: Db, syncId: string): Promise<void> {
  const operationId = Raw(column => hasEnded(column))
  await db.update(GitPreviewEntity, { syncId, step: 'importing', operationId }, { step: 'import' })
}

/** The preview of a synchronisation whose import has waited longest; undefined while an import of another one runs. */
export async function nextToImport(db: Db, syncId: string): Promise<GitPreviewRow | undefined> {
  if (await db.existsBy(GitPreviewEntity, { syncId, step: 'importing' })) return undefined
  const where = { syncId, state: 'open' as const, step: 'import' as const }
  return (await db.findOne(GitPreviewEntity, { where, order: { updatedAt: 'ASC', id: 'ASC' } })) ?? undefined
}

/** Writes a new preview. */
export async function insert(db: Db, preview: GitPreviewRow): Promise<void> {
  await db.insert(GitPreviewEntity, preview)
}

/** Changes a preview. */
export async function update(db: Db, id: string, changes: Partial<GitPreviewRow>): Promise<void> {
  await db.update(GitPreviewEntity, { id }, { updatedAt: new Date(), ...changes })
}

/** The previews of a space, the newest first, except those that ended because previews were switched off. */
export async function listOf(db: Db, spaceId: string, request: ListRequest): Promise<ListPage<GitPreviewRow>> {
  const sql = `select ${columns} from git_previews where space_id = $1 and state <> 'ended'`
  return listPage<GitPreviewRow>(db, { sql, values: [spaceId], ...newestFirst }, request)
}

/** Deletes the previews of a space, except those of one synchronisation. */
export async function deleteOf(db: Db, spaceId: string, exceptSyncId = ''): Promise<void> {
  await db.delete(GitPreviewEntity, { spaceId, syncId: Not(exceptSyncId) })
}
