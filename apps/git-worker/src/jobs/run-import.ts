import { setTimeout as sleep } from 'node:timers/promises'
import { importRepository, type Imported } from '../commands/import-repository.ts'
import type { ImportTools } from '../commands/import-repository.ts'
import { limitWarnings, ImportFailure, truncateMiddle, type Warning } from '../models/import-failure.ts'
import { isUnavailable, toImportFailure } from './classify.ts'
import { Lease, LeaseLost, type GitRpc } from './lease.ts'

/** Dependencies of a job. Times are milliseconds. */
export interface JobTools extends Pick<ImportTools, 'outgoing' | 'cache' | 'blobs' | 'limits'> {
  rpc: GitRpc
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Aborts when the worker stops. */
  signal: AbortSignal
  heartbeatMs?: number
  /** Pauses before the second and the third try. */
  backoffMs?: readonly number[]
}

/** The outcome of a job: acknowledged, or redelivered after some milliseconds. */
export type JobOutcome = 'done' | { retryIn: number }

type Work = Extract<Awaited<ReturnType<GitRpc['startGitOperation']>>, { state: 'run' }>

const busyRetryMs = 5_000
const failureRetryMs = 10_000
const stoppedRetryMs = 500

/** A call is one bus message of limited size. */
const maxWarnings = 200
const maxMessageLength = 5_000
const maxPathLength = 4_096

/** Runs an import and reports its result, success or failure, to content; throws only when content is unavailable. */
export async function runImport(tools: JobTools, { operationId }: { operationId: string }): Promise<JobOutcome> {
  const work = await tools.rpc.startGitOperation({ body: { operationId } })
  if (work.state === 'done') return 'done'
  if (work.state === 'busy') return { retryIn: busyRetryMs }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(jobTimedOut(tools.limits.jobTimeoutMs)), tools.limits.jobTimeoutMs)
  const signal = AbortSignal.any([tools.signal, deadline.signal])
  const lease = new Lease({
    rpc: tools.rpc,
    signal,
    operationId,
    attempt: work.attempt,
    everyMs: tools.heartbeatMs ?? 5_000,
  })
  const warnings: Warning[] = []
  try {
    const imported = await tryImport(tools, { work, lease, warnings })
    return await finish(tools, { operationId, work, imported })
  } catch (error) {
    return await reportFailure(tools, {
      operationId,
      work,
      warnings,
      error: lease.signal.aborted ? lease.signal.reason : error,
    })
  } finally {
    clearTimeout(timer)
    await lease.end()
  }
}

/** Fails an operation whose job was delivered too often. One that a worker holds is left to content, which expires its lease. */
export async function abandonImport(
  { rpc }: Pick<JobTools, 'rpc'>,
  { operationId }: { operationId: string },
): Promise<void> {
  const work = await rpc.startGitOperation({ body: { operationId } })
  if (work.state !== 'run') return
  const error = {
    code: 'internal' as const,
    message: 'The import was started repeatedly, and no worker completed it',
  }
  await rpc.failGitOperation({ body: { operationId, attempt: work.attempt, error, retry: false, warnings: [] } })
}

function jobTimedOut(limit: number): ImportFailure {
  return new ImportFailure('timeout', `The import took longer than the limit of ${limit / 1_000} seconds`, {
    transient: false,
  })
}

interface Attempt {
  work: Work
  lease: Lease
  warnings: Warning[]
}

/** Retries transient failures. */
async function tryImport(tools: JobTools, { work, lease, warnings }: Attempt): Promise<Imported> {
  const { backoffMs = [1_000, 3_000] } = tools
  for (let retries = 0; ; retries++) {
    try {
      return await importRepository(work, { ...tools, signal: lease.signal, warnings, onProgress: lease.progress })
    } catch (error) {
      const pause = backoffMs[retries]
      if (pause === undefined || !toImportFailure(error).transient || lease.signal.aborted) throw error
      await sleep(pause, undefined, { signal: lease.signal })
    }
  }
}

async function finish(
  { rpc, log }: JobTools,
  { operationId, work, imported }: { operationId: string; work: Work; imported: Imported },
): Promise<JobOutcome> {
  const { revision } = await rpc.finishGitImport({ body: { operationId, attempt: work.attempt, ...imported } })
  log.info({ operationId, revision, commit: imported.commit.oid }, 'imported')
  return 'done'
}

interface FailedImport {
  operationId: string
  work: Work
  warnings: Warning[]
  error: unknown
}

async function reportFailure(
  { rpc, log, signal }: JobTools,
  { operationId, work, warnings, error }: FailedImport,
): Promise<JobOutcome> {
  if (error instanceof LeaseLost) return 'done'
  // Content is unavailable, so nothing can be reported: the job is redelivered.
  if (isUnavailable(error) && !signal.aborted) throw error
  const failure = signal.aborted
    ? new ImportFailure('internal', 'The worker was stopped', { transient: true })
    : toImportFailure(error)
  const isOurs = failure.code === 'internal'
  if (isOurs && !signal.aborted) log.error({ operationId, err: failure.cause }, 'import failed unexpectedly')
  const { code } = failure
  const body = {
    operationId,
    attempt: work.attempt,
    error: errorOf(failure),
    retry: isOurs,
    warnings: limitWarnings(warnings, maxWarnings),
  }
  const { retry } = await rpc.failGitOperation({ body })
  log.info({ operationId, code, retry }, 'import failed')
  return retry ? { retryIn: signal.aborted ? stoppedRetryMs : failureRetryMs } : 'done'
}

function errorOf({ code, message, path }: ImportFailure) {
  return {
    code,
    message: truncateMiddle(message, maxMessageLength),
    ...(path !== undefined && { path: truncateMiddle(path, maxPathLength) }),
  }
}
