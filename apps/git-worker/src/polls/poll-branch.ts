import type { gitPollCalls } from '@recto/contracts-git-worker'
import type { Client } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import { discover } from '../remote/discover.ts'
import { tipOf } from '../remote/branches.ts'
import type { OrganizationQuota } from '../jobs/organization-quota.ts'
import { ImportFailure } from '../failures/import-failure.ts'
import { toImportFailure } from '../failures/classify.ts'
import { errorOf, type JobOutcome } from '../jobs/run-job.ts'

/** Milliseconds for one look at a branch. */
const timeout = 60_000
const stoppedRetry = 500

/** Dependencies of a look at a branch. */
export interface PollTools {
  rpc: Pick<Client<typeof gitPollCalls>, 'startGitPoll' | 'finishGitPoll'>
  outgoing: Outgoing
  /** The places that organizations hold: polls count as imports and exports do. */
  places: OrganizationQuota
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Aborts when the worker stops. */
  signal: AbortSignal
}

type Branch = Extract<Awaited<ReturnType<PollTools['rpc']['startGitPoll']>>, { state: 'run' }>

/** Asks a git server which commit a branch is at, and reports it to content; throws only when content is unavailable. */
export async function pollBranch(tools: PollTools, { syncId }: { syncId: string }): Promise<JobOutcome> {
  const { rpc, log, signal, places } = tools
  const branch = await rpc.startGitPoll({ body: { syncId } })
  if (branch.state === 'done') return 'done'
  const release = places.take(branch.organizationId)
  // Content has it delivered again when nobody reports: by then a server that hangs has been given up.
  if (!release) return 'done'
  const found = await tipAt(branch, tools)
    .finally(release)
    .catch((error: unknown) => {
      const failure = toImportFailure(error, 'poll')
      if (failure.code === 'internal' && !signal.aborted) log.error({ syncId, err: failure.cause }, 'a poll failed')
      return { error: errorOf(failure, branch.credentials) }
    })
  if (signal.aborted) return { retryIn: stoppedRetry }
  await rpc.finishGitPoll({ body: { syncId, poll: branch.poll, ...found } })
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
