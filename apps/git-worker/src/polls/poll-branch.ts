import type { Outgoing } from '@recto/outgoing'
import { discover } from '../remote/discover.ts'
import { tipOf } from '../remote/branches.ts'
import type { OrganizationQuota } from '../jobs/organization-quota.ts'
import { ImportFailure } from '../failures/import-failure.ts'
import { toImportFailure } from '../failures/classify.ts'
import { errorOf, type JobOutcome } from '../jobs/run-job.ts'
import type { Branch, Polls } from './polls.ts'

/** Milliseconds for one look at a branch. */
const timeout = 60_000
const stoppedRetry = 500

/** Dependencies of a look at a branch. */
export interface PollTools {
  polls: Polls
  outgoing: Outgoing
  /** The places that organizations hold: polls count as imports and exports do. */
  places: OrganizationQuota
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/** Asks a git server which commit a branch is at, and records it; throws only when content or the database is unavailable. */
export async function pollBranch(tools: PollTools, { syncId }: { syncId: string }): Promise<JobOutcome> {
  const { polls, log, signal, places } = tools
  const branch = await polls.start(syncId)
  if (!branch) return 'done'
  const release = places.take(branch.organizationId)
  // The job is delivered again when nobody reports: by then a server that hangs has been given up.
  if (!release) return 'done'
  const found = await tipAt(branch, tools)
    .finally(release)
    .catch((error: unknown) => {
      const failure = toImportFailure(error, 'poll')
      if (failure.code === 'internal' && !signal.aborted) log.error({ syncId, err: failure.cause }, 'a poll failed')
      return { error: errorOf(failure, branch.credentials) }
    })
  if (signal.aborted) return { retryIn: stoppedRetry }
  await polls.finish(branch, found)
  log.info({ syncId, ...('tip' in found ? found : { code: found.error.code }) }, 'polled')
  return 'done'
}

async function tipAt(branch: Branch, { outgoing, signal }: PollTools): Promise<{ tip: string }> {
  const deadline = new AbortController()
  const late = new ImportFailure('timeout', `The git server did not answer within ${timeout / 1_000} seconds`)
  const timer = setTimeout(() => deadline.abort(late), timeout)
  try {
    const { refs } = await discover(outgoing, branch, { signal: AbortSignal.any([signal, deadline.signal]) })
    return { tip: tipOf(refs, branch.ref) }
  } finally {
    clearTimeout(timer)
  }
}
