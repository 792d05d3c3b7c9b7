import type { Db } from '@recto/database'
import type { PeriodicWork } from '@recto/service'
import { deleteExpired } from './pdfs.repository.ts'

const every = 10 * 60_000
const batch = 200

/** Deletes expired PDFs every ten minutes. */
export function pdfExpiry(db: Db): PeriodicWork {
  return { name: 'delete expired PDFs', every, run: signal => expirePdfs(db, { now: new Date(), signal }) }
}

/** Deletes expired PDFs and marks them as garbage. */
export async function expirePdfs(db: Db, { now, signal }: { now: Date; signal?: AbortSignal }): Promise<void> {
  for (let hasMore = true; hasMore && !signal?.aborted;)
    hasMore = await db.transaction(async tx => (await deleteExpired(tx, { now, limit: batch })) === batch)
}
