import type { Db, Transaction } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import { deleteGrantsOn } from '../access/grants.repository.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { deleteRevisions } from '../revisions/revisions.repository.ts'
import { publishSpacePurged } from './space-events.ts'
import * as repository from '../resources/trash.repository.ts'
import type { Deleted } from '../resources/trash.repository.ts'
import { isPurgeable, purgeCutoff } from '../resources/trash.rules.ts'

/** Spaces or collections purged in one transaction. */
const batch = 20

/** Callbacks of higher rooms: the purge must not interfere with running operations. */
export interface SpaceWork {
  /** Ids of all spaces that a worker works on now; they are not purged. */
  spacesInUse(db: Db): Promise<string[]>
  /** Forgets the work of git operations in spaces. */
  deleteRepositoryWork(tx: Transaction, spaces: string[]): Promise<void>
  /** Deletes the PDFs of spaces, and marks their files as garbage. */
  deletePdfs(tx: Transaction, spaces: string[], since: Date): Promise<void>
}

/** The options of a purge. */
export interface PurgeOptions {
  transaction: RunTransaction
  work: SpaceWork
  now: Date
  signal?: AbortSignal
}

/** Purges everything whose restore period has ended, except what others have locked, and returns the number of spaces. */
export async function purgeDeleted({ transaction, work, now, signal }: PurgeOptions): Promise<number> {
  const done = { spaces: 0 }
  const continues = (purged: number): boolean => purged > 0 && signal?.aborted !== true
  for (let purged = batch; continues(purged); done.spaces += purged)
    purged = await transaction(tx => purgeSpaces(tx, work, now))
  // A collection is purged when it is empty: from the innermost outwards.
  for (let purged = batch; continues(purged);) purged = await transaction(tx => purgeCollections(tx, now))
  return done.spaces
}

async function purgeSpaces(tx: Transaction, work: SpaceWork, now: Date): Promise<number> {
  // Taken before any other lock: it excludes a concurrent sweep and prevents deadlocks with it.
  await lockContent(tx)
  const due = onlyPurgeable(await lockUnusedSpaces(tx, work, now), now)
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  await deleteSpaces(tx, ids, now)
  await work.deleteRepositoryWork(tx, ids)
  await work.deletePdfs(tx, ids, now)
  for (const space of due) await publishSpacePurged(tx, space, now)
  return ids.length
}

/** Locks purgeable spaces, without those that a worker started to work on before they were locked. */
async function lockUnusedSpaces(tx: Transaction, work: SpaceWork, now: Date): Promise<Deleted[]> {
  const inUse = await work.spacesInUse(tx)
  const locked = await repository.lockDeleted(tx, 'space', { before: purgeCutoff(now), limit: batch, inUse })
  if (locked.length === 0) return []
  const inUseNow = new Set(await work.spacesInUse(tx))
  return locked.filter(({ id }) => !inUseNow.has(id))
}

/** Deletes spaces with their grants and revisions, and marks the content of these as garbage. */
async function deleteSpaces(tx: Transaction, ids: string[], since: Date): Promise<void> {
  await repository.deleteRows(tx, 'space', ids)
  await deleteGrantsOn(tx, 'space', ids)
  await deleteRevisions(tx, ids, since)
}

async function purgeCollections(tx: Transaction, now: Date): Promise<number> {
  const empty = await repository.lockDeleted(tx, 'collection', { before: purgeCutoff(now), limit: batch })
  const ids = onlyPurgeable(empty, now).map(({ id }) => id)
  await repository.deleteRows(tx, 'collection', ids)
  await deleteGrantsOn(tx, 'collection', ids)
  return ids.length
}

function onlyPurgeable(rows: Deleted[], now: Date): Deleted[] {
  return rows.filter(({ deletedAt }) => isPurgeable(deletedAt, now))
}
