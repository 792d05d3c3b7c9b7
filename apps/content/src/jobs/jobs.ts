import type { Listening } from '@recto/database'
import { startScheduler } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { credentialExpiry, leaseExpiry } from '../git/expire-leases.ts'
import { dispatchWaiting } from '../git/dispatch-waiting.ts'
import { exportCatchUp, pollSchedule } from '../git/sync-schedule.ts'
import type { Importer } from '../imports/importer.ts'
import { followSources, type FollowTools } from '../translations/follow-sources.ts'
import { deletionOfUnfinishedBlobs } from '../garbage/blob-cleanup.ts'
import { pdfExpiry } from '../pdf/expire-pdfs.ts'
import { uploadExpiry } from '../uploads/expire-uploads.ts'
import { catchUpSchedule, type CatchUpTools } from './catch-up.ts'
import { purgeSchedule, type PurgeTimes, type PurgeTools } from './purge-schedule.ts'

/** Starts the periodic work of content: lease and credential expiry, turns of git operations, polls of branches, waiting imports and runs of translations, blob cleanup, expired uploads and PDFs, the purge, and catching up with main content. */
export function startJobs(
  tools: PurgeTools &
    CatchUpTools &
    FollowTools & { log: Log; importer: Importer; gitOrganizationJobs: number; listening: Listening },
  times?: PurgeTimes,
): { stop(): Promise<void> } {
  return startScheduler(
    [
      leaseExpiry(tools),
      credentialExpiry(tools),
      dispatchWaiting({ ...tools, limit: tools.gitOrganizationJobs }),
      pollSchedule(tools),
      exportCatchUp(tools),
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
