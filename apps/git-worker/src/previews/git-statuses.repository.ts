import { type Db, query } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { createId } from '@recto/operation'
import { In, LessThan, Not, Raw } from 'typeorm'
import type { CommitStatus } from './commit-status.rules.ts'
import { GitStatusEntity, type GitStatusRow } from './git-status.entity.ts'

/** Milliseconds after which another process delivers a status; longer than a request to a forge may take. */
const leaseMs = 30_000

/** Statuses that their forges do not have yet. */
export const statusJobs: JobTable<GitStatusRow> = {
  entity: GitStatusEntity,
  key: 'id',
  open: 'job.due_at is not null',
  due: 'job.due_at',
  isTaken: 'job.is_taken',
  group: 'job.space_id',
  maxAttempts: Infinity,
  attemptsOf: ({ attempts }) => attempts,
  take: ({ lease, attempts }, now) => ({
    isTaken: true,
    lease: lease + 1,
    attempts: attempts + 1,
    dueAt: new Date(now.getTime() + leaseMs),
  }),
  keep: now => ({ dueAt: new Date(now.getTime() + leaseMs) }),
  release: ({ attempts }, { now, isCounted }) => ({
    isTaken: false,
    attempts: isCounted ? attempts : attempts - 1,
    dueAt: now,
  }),
  heldBy: ({ id, lease }) => ({ id, lease, isTaken: true }),
}

/** The statuses of the commits of a preview. */
export async function listOf(db: Db, previewId: string): Promise<GitStatusRow[]> {
  return db.findBy(GitStatusEntity, { previewId })
}

/** The statuses of some commits. */
export async function findAll(
  db: Db,
  previews: readonly { id: string; head: string | null }[],
): Promise<GitStatusRow[]> {
  const heads = new Map(previews.map(({ id, head }) => [id, head]))
  if (heads.size === 0) return []
  const rows = await db.findBy(GitStatusEntity, { previewId: In([...heads.keys()]) })
  return rows.filter(({ previewId, commit }) => heads.get(previewId) === commit)
}

/** Reads a status and locks it until the transaction ends. */
export async function lock(db: Db, id: string): Promise<GitStatusRow | undefined> {
  return (await db.findOne(GitStatusEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/**
 * Writes the status of a commit that changed, to be delivered at once. An attempt that delivers the status before keeps its lease, and
 * finds at its end that there is a newer one. The caller holds the lock of the space.
 */
export async function save(
  db: Db,
  {
    previewId,
    spaceId,
    commit,
    row,
  }: Pick<GitStatusRow, 'previewId' | 'spaceId' | 'commit'> & { row?: GitStatusRow | undefined },
  status: CommitStatus,
): Promise<void> {
  const now = new Date()
  const { state, description, targetUrl } = status
  const current = row && (await lock(db, row.id))
  if (current) {
    const due = current.isTaken ? {} : { attempts: 0, dueAt: now }
    const changes = { state, description, targetUrl, version: current.version + 1, updatedAt: now, ...due }
    return void (await db.update(GitStatusEntity, { id: current.id }, changes))
  }
  const delivery = { version: 1, deliveredVersion: 0, dueAt: now, isTaken: false, lease: 0, attempts: 0, error: null }
  const columns = { state, description, targetUrl, updatedAt: now }
  await db.insert(GitStatusEntity, { id: createId(), previewId, spaceId, commit, ...columns, ...delivery })
}

/** Makes all statuses of a space that its forge does not have due now, since its settings changed. */
export async function retryAll(db: Db, spaceId: string): Promise<void> {
  const deliveredVersion = Raw(column => `${column} < version`)
  await db.update(GitStatusEntity, { spaceId, isTaken: false, deliveredVersion }, { dueAt: new Date(), attempts: 0 })
}

/** Lets the statuses of a space wait until a time, since its forge limits requests. */
export async function postponeAll(db: Db, spaceId: string, until: Date): Promise<void> {
  await db.update(GitStatusEntity, { spaceId, isTaken: false, dueAt: LessThan(until) }, { dueAt: until })
}

/** How many statuses wait to be delivered, and for how many seconds the oldest of them has: a metric. */
export async function waitingState(db: Db): Promise<{ depth: number; oldest: number }> {
  const [row] = await query<{ depth: number; oldest: number | null }>(
    db,
    `select count(*)::int as depth, extract(epoch from now() - min(updated_at))::float8 as oldest
     from git_statuses where due_at is not null`,
  )
  return { depth: row?.depth ?? 0, oldest: row?.oldest ?? 0 }
}

/** Whether a status of a space is still to be delivered. */
export async function isOpenOf(db: Db, spaceId: string): Promise<boolean> {
  const rows = await query<{ id: string }>(
    db,
    'select id from git_statuses where space_id = $1 and due_at is not null limit 1',
    [spaceId],
  )
  return rows.length > 0
}

/** Deletes the statuses of a space, except those of some previews. */
export async function deleteOf(db: Db, spaceId: string, exceptPreviews: readonly string[]): Promise<void> {
  await db.delete(GitStatusEntity, { spaceId, previewId: Not(In(exceptPreviews)) })
}
