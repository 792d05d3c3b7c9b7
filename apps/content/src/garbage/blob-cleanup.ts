import type { BlobStore } from '@recto/blobs'
import type { PeriodicWork } from '@recto/service'

const day = 24 * 60 * 60 * 1000

/** The daily job that deletes unfinished blobs which crashed writers left in the blob store more than a day ago. */
export function unfinishedBlobsJob(blobs: BlobStore): PeriodicWork {
  return {
    name: 'delete unfinished blobs',
    every: day,
    // The scheduler would take a returned number as the delay until the next run.
    run: async () => void (await blobs.deleteUnfinished(new Date(Date.now() - day))),
  }
}
