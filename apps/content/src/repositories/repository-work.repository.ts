import { columnsOf, type Db, query } from '@recto/database'
import { Failure } from '@recto/operation'
import { Any, IsNull, LessThan, MoreThan } from 'typeorm'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { RepositoryWorkEntity, type RepositoryWorkRow } from './repository-work.entity.ts'

const columns = columnsOf(RepositoryWorkEntity, 'repository_work')

/** An attempt of an operation, and how long it may take. */
export interface Attempt {
  operationId: string
  spaceId: string
  lease: number
  holdSeconds: number
}

/**
 * Records that an attempt works on a space: neither the space nor stored content is deleted until it ends or its time is over. Returns
 * the work, locked until the transaction ends. Throws `conflict` when a later attempt has begun.
 */
export async function hold(db: Db, { operationId, spaceId, lease, holdSeconds }: Attempt): Promise<RepositoryWorkRow> {
  // Prevents the sweep from freeing what the worker finds stored: it looks for work under the exclusive lock.
  await lockContent(db)
  const [work] = await query<RepositoryWorkRow>(
    db,
    `insert into repository_work (operation_id, space_id, lease, held_until, updated_at)
     values ($1, $2, $3, now() + make_interval(secs => $4), now())
     on conflict (operation_id) do update set lease = $3, held_until = excluded.held_until, updated_at = now()
       where repository_work.lease <= $3 and repository_work.space_id = $2
     returning ${columns}`,
    [operationId, spaceId, lease, holdSeconds],
  )
  if (!work) throw new Failure('conflict', 'Another attempt holds the lease of this operation')
  return work
}

/** Records the outcome of an operation, and releases its space. */
export async function finish(
  db: Db,
  { operationId }: Pick<RepositoryWorkRow, 'operationId'>,
  outcome: NonNullable<RepositoryWorkRow['outcome']>,
): Promise<void> {
  await db.update(RepositoryWorkEntity, { operationId }, { outcome, updatedAt: () => 'now()' })
}

const isActive = () => ({ outcome: IsNull(), heldUntil: MoreThan(new Date()) })

/** Whether a git operation works on any space: its worker stores files long before a revision references them. */
export async function hasActiveWork(db: Db): Promise<boolean> {
  return db.existsBy(RepositoryWorkEntity, isActive())
}

/** Ids of all spaces that git operations work on. */
export async function spacesWithActiveWork(db: Db): Promise<string[]> {
  const active = await db.find(RepositoryWorkEntity, { select: { spaceId: true }, where: isActive() })
  return active.map(({ spaceId }) => spaceId)
}

/** Forgets the work on spaces that are purged. */
export async function deleteOf(db: Db, spaces: string[]): Promise<void> {
  await db.delete(RepositoryWorkEntity, { spaceId: Any(spaces) })
}

/** Forgets the work that ended, or began, before a time. */
export async function deleteBefore(db: Db, time: Date): Promise<void> {
  await db.delete(RepositoryWorkEntity, { updatedAt: LessThan(time), heldUntil: LessThan(time) })
}
