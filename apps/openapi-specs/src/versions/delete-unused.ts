import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as versions from './versions.repository.ts'

const hour = 3_600_000

/** Deletes contents, hourly, that no version has had for an hour. */
export function unusedContentDeletionJob(db: Db, transaction: RunTransaction, contents: BlobStore): PeriodicWork {
  return {
    name: 'delete unused specifications',
    every: hour,
    async run() {
      for (const hash of await versions.unusedSince(db, new Date(Date.now() - hour)))
        await transaction(async tx => {
          await versions.lockContent(tx, hash)
          if (!(await versions.isUsed(tx, hash))) await contents.delete(hash)
          await versions.forgetUnused(tx, hash)
        })
    },
  }
}
