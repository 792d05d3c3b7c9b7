import { lifecycleEvents } from '@recto/contracts'
import { markTold, tellEvent, type Db } from '@recto/database'
import { holdStored } from './garbage.repository.ts'
import * as repository from './purge.repository.ts'
import type { Deleted } from './purge.repository.ts'
import { dueBefore, isDue } from './purge.rules.ts'

/** Spaces or collections in one transaction. */
const batch = 20

interface Purging {
  db: Db
  now: Date
  signal?: AbortSignal
}

/** Purges what was deleted too long ago to be restored, until nothing is left that nobody else has; the number of spaces. */
export async function purgeDeleted({ db, now, signal }: Purging): Promise<number> {
  const done = { spaces: 0 }
  const again = (purged: number): boolean => purged > 0 && signal?.aborted !== true
  for (let purged = batch; again(purged); done.spaces += purged)
    purged = await db.transaction(transaction => purgeSpaces(transaction, now))
  // A collection is empty when those in it are gone: from the innermost outwards.
  for (let purged = batch; again(purged);)
    purged = await db.transaction(transaction => purgeCollections(transaction, now))
  return done.spaces
}

async function purgeSpaces(db: Db, now: Date): Promise<number> {
  // First of all, so that nothing is noted while something is freed, and neither waits for the other half done.
  await holdStored(db)
  const due = onlyDue(await repository.lockSpaces(db, { before: dueBefore(now), limit: batch }), now)
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  for (const job of await repository.openJobs(db, ids)) await markTold(db, job)
  await repository.deleteSpaces(db, ids, now)
  for (const { id, organizationId } of due) {
    await tellEvent(db, lifecycleEvents.spacePurged, { organization: organizationId, space: id, at: now.toISOString() })
  }
  return ids.length
}

async function purgeCollections(db: Db, now: Date): Promise<number> {
  const due = onlyDue(await repository.lockEmptyCollections(db, { before: dueBefore(now), limit: batch }), now)
  await repository.deleteCollections(
    db,
    due.map(({ id }) => id),
  )
  return due.length
}

function onlyDue(found: Deleted[], now: Date): Deleted[] {
  return found.filter(({ deletedAt }) => isDue(deletedAt, now))
}
