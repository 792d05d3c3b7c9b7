import type { Db } from '@recto/database'
import * as spaces from '../../hierarchy/spaces/spaces.repository.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { mainChange, type MainChange } from './main-change.ts'
import { lockProjection, saveProjection } from './main-projections.repository.ts'

/** Brings the tables of a feature from one revision of main content to another, in the transaction of the caller. */
export type Projector = (db: Db, change: MainChange) => Promise<void>

/**
 * Brings the projections of a space to its main content as it is now, from the revision that they show: events may come in
 * any order and more than once. Resolves to false when there was nothing to do.
 */
export async function projectMain(db: Db, spaceId: string, projectors: readonly Projector[]): Promise<boolean> {
  if (!(await spaces.find(db, spaceId))) return false
  const { revision: shown } = await lockProjection(db, spaceId)
  // Read after the wait for the lock, which another projection may have held.
  const space = await spaces.find(db, spaceId)
  if (!space || space.revision === shown) return false
  const to = await revisions.find(db, space.revision)
  if (!to) return false
  const change = await mainChange(db, shown === null ? undefined : await revisions.find(db, shown), to)
  for (const project of projectors) await project(db, change)
  await saveProjection(db, { spaceId, revision: to.id })
  return true
}
