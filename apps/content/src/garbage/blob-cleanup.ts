import type { BlobStore } from '@recto/blobs'
import type { PeriodicWork } from '@recto/service'

const day = 24 * 60 * 60 * 1000

/** Deletes, once a day, unfinished blobs that crashed writers left in the blob store more than a day ago. */
export function deletionOfUnfinishedBlobs(blobs: BlobStore): PeriodicWork {
  return {
    name: 'delete unfinished blobs',
    every: day,
    // A returned number would be used as the delay until the next run.
    run: async () => void (await blobs.deleteUnfinished(new Date(Date.now() - day))),
  }
}
