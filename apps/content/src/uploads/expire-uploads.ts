import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import { markGarbage } from '../garbage/garbage.repository.ts'
import { deleteExpired } from './uploads.repository.ts'

const every = 10 * 60_000
const batch = 500

/** Deletes expired uploads every ten minutes. */
export function uploadExpiry(db: Db): PeriodicWork {
  return { name: 'delete expired uploads', every, run: signal => expireUploads(db, { now: new Date(), signal }) }
}

/** Deletes expired uploads and marks their blobs as garbage. */
export async function expireUploads(db: Db, { now, signal }: { now: Date; signal?: AbortSignal }): Promise<void> {
  for (let hasMore = true; hasMore && !signal?.aborted;) {
    hasMore = await db.transaction(async tx => {
      const { deleted, hashes } = await deleteExpired(tx, { now, limit: batch })
      await markGarbage(
        tx,
        hashes.map(hash => ({ kind: 'blob', hash })),
        now,
      )
      return deleted === batch
    })
  }
}
