import type { Outgoing } from '@recto/outgoing'
import { discover } from '../remote/discover.ts'
import { tipOf } from '../remote/branches.ts'
import type { OrganizationQuota } from '../jobs/organization-quota.ts'
import { ImportFailure } from '@recto/repository-content'
import { toImportFailure } from '../failures/classify.ts'
import { errorOf, type JobOutcome } from '../jobs/run-job.ts'
import { findPulls } from './find-pulls.ts'
import type { Branch, PollResult, Polls } from './polls.ts'

/** Limit on the duration of a poll. */
const timeoutMs = 60_000
const stoppedRetryMs = 500

/** Dependencies of a poll. */
export interface PollTools {
  polls: Polls
  outgoing: Outgoing
  /** Slots of the worker by organization: a poll takes one, as an import or export does. */
  quota: OrganizationQuota
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

/** Reads the tip of a branch from its git server and records it; throws only when content or the database is unavailable. */
export async function pollBranch(tools: PollTools, { syncId }: { syncId: string }): Promise<JobOutcome> {
  const { polls, log, signal, quota } = tools
  const branch = await polls.start(syncId)
  if (!branch) return 'done'
  const release = quota.take(branch.organizationId)
  // The job is delivered again without a report; by then a request to a server that hangs has timed out.
  if (!release) return 'done'
  const result = await tipAt(branch, tools)
    .finally(release)
    .catch((error: unknown) => {
      const failure = toImportFailure(error, 'poll')
      if (failure.code === 'internal' && !signal.aborted) log.error({ syncId, err: failure.cause }, 'a poll failed')
      return { error: errorOf(failure, branch.credentials) }
    })
  if (signal.aborted) return { retryIn: stoppedRetryMs }
  await polls.finish(branch, result)
  log.info({ syncId, ...('tip' in result ? { tip: result.tip } : { code: result.error.code }) }, 'polled')
  return 'done'
}

async function tipAt(branch: Branch, tools: PollTools): Promise<Exclude<PollResult, { error: unknown }>> {
  const { outgoing, signal } = tools
  const deadline = new AbortController()
  const late = new ImportFailure('timeout', `The git server did not answer within ${timeoutMs / 1_000} seconds`)
  const timer = setTimeout(() => deadline.abort(late), timeoutMs)
  try {
    const either = AbortSignal.any([signal, deadline.signal])
    const { refs } = await discover(outgoing, branch, { signal: either })
    const tip = tipOf(refs, branch.ref)
    return branch.pulls
      ? { tip, pulls: await findPulls({ ...branch, pulls: branch.pulls }, refs, { ...tools, signal: either }) }
      : { tip }
  } finally {
    clearTimeout(timer)
  }
}
