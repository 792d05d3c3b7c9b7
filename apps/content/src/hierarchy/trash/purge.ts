import { lifecycleEvents } from '@recto/contracts'
import { markPublished, type Db, type Transaction } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import { holdStored } from '../../store/garbage/garbage.repository.ts'
import * as repository from './purge.repository.ts'
import type { Deleted } from './purge.repository.ts'
import { dueBefore, isDue } from '../../store/garbage/garbage.rules.ts'

/** Spaces or collections in one transaction. */
const batch = 20

interface Purging {
  transaction: RunTransaction
  now: Date
  signal?: AbortSignal
}

/** Purges what was deleted too long ago to be restored, until nothing is left that nobody else has; the number of spaces. */
export async function purgeDeleted({ transaction, now, signal }: Purging): Promise<number> {
  const done = { spaces: 0 }
  const again = (purged: number): boolean => purged > 0 && signal?.aborted !== true
  for (let purged = batch; again(purged); done.spaces += purged) purged = await transaction(tx => purgeSpaces(tx, now))
  // A collection is empty when those in it are gone: from the innermost outwards.
  for (let purged = batch; again(purged);) purged = await transaction(tx => purgeCollections(tx, now))
  return done.spaces
}

async function purgeSpaces(tx: Transaction, now: Date): Promise<number> {
  // First of all, so that nothing is noted while something is freed, and neither waits for the other half done.
  await holdStored(tx)
  const due = onlyDue(await repository.lockSpaces(tx, { before: dueBefore(now), limit: batch }), now)
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  for (const job of await repository.openJobs(tx, ids)) await markPublished(tx, job)
  await repository.deleteSpaces(tx, ids, now)
  for (const { id, organizationId } of due) {
    await tx.publish(lifecycleEvents.spacePurged, { organization: organizationId, space: id, at: now.toISOString() })
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
