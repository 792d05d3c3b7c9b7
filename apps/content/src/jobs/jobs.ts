import type { Listening } from '@recto/database'
import { startScheduler } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { Importer } from '../imports/importer.ts'
import { followSources, type FollowTools } from '../translations/follow-sources.ts'
import { deletionOfUnfinishedBlobs } from '../garbage/blob-cleanup.ts'
import { pdfExpiry } from '../pdf/expire-pdfs.ts'
import { workExpiry } from '../repositories/work-expiry.ts'
import { uploadExpiry } from '../uploads/expire-uploads.ts'
import { catchUpSchedule, type CatchUpTools } from './catch-up.ts'
import { purgeSchedule, type PurgeTimes, type PurgeTools } from './purge-schedule.ts'

/** Starts the periodic work of content: outcomes of git operations, waiting imports and runs of translations, blob cleanup, expired uploads and PDFs, the purge, and catching up with main content. */
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
      deletionOfUnfinishedBlobs(tools.blobs),
      uploadExpiry(tools.db),
      pdfExpiry(tools.db),
      purgeSchedule(tools, times),
      catchUpSchedule(tools),
    ],
    tools.log,
    tools.listening,
  )
}
