import type { Listening } from '@recto/database'
import { startScheduler } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { Importer } from '../imports/importer.ts'
import { followSources, type FollowTools } from '../translations/follow-sources.ts'
import { unfinishedBlobsJob } from '../garbage/blob-cleanup.ts'
import { pdfExpiry } from '../pdf/expire-pdfs.ts'
import { workExpiry } from '../repositories/work-expiry.ts'
import { uploadExpiry } from '../uploads/expire-uploads.ts'
import { catchUpJob, type CatchUpTools } from './catch-up.ts'
import { purgeJob, type PurgeTimes, type PurgeTools } from './purge.ts'

/** Starts all periodic work of the service. */
export function startJobs(
  tools: PurgeTools & CatchUpTools & FollowTools & { log: Log; importer: Importer; listening: Listening },
  times?: PurgeTimes,
): { stop(): Promise<void> } {
  return startScheduler(
    [
      workExpiry(tools.db),
      tools.importer.work,
      ...(tools.translator ? [tools.translator.work] : []),
      ...followSources(tools),
      unfinishedBlobsJob(tools.blobs),
      uploadExpiry(tools.db),
      pdfExpiry(tools.db),
      purgeJob(tools, times),
      catchUpJob(tools),
    ],
    tools.log,
    tools.listening,
  )
}
