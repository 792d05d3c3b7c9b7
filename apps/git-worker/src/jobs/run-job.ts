import { setTimeout as sleep } from 'node:timers/promises'
import { exportRepository, type Exported, type ExportTools } from '../exports/export-repository.ts'
import { importRepository, type Imported, type ImportTools } from '../imports/import-repository.ts'
import { limitWarnings, ImportFailure, truncateMiddle, type Warning } from '../failures/import-failure.ts'
import { withoutSecrets } from '../failures/plain-text.ts'
import { isUnavailable, toImportFailure } from '../failures/classify.ts'
import { Lease, LeaseLost, type GitRpc } from './lease.ts'

/** Dependencies of a job. Times are milliseconds. */
export interface JobTools extends Pick<ImportTools, 'outgoing' | 'cache' | 'limits'> {
  blobs: ImportTools['blobs'] & ExportTools['blobs']
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

/** Runs an import or export and reports its result, success or failure, to content; throws only when content is unavailable. */
export async function runJob(tools: JobTools, { operationId }: { operationId: string }): Promise<JobOutcome> {
  const work = await tools.rpc.startGitOperation({ body: { operationId } })
  if (work.state === 'done') return 'done'
  if (work.state === 'busy') return { retryIn: busyRetryMs }
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(jobTimedOut(work, tools.limits.jobTimeoutMs)),
    tools.limits.jobTimeoutMs,
  )
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
    const done = await tryWork(tools, { operationId, work, lease, warnings })
    await lease.handOver()
    return await finish(tools, { operationId, work, ...done })
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
export async function abandonJob(
  { rpc }: Pick<JobTools, 'rpc'>,
  { operationId }: { operationId: string },
): Promise<void> {
  const work = await rpc.startGitOperation({ body: { operationId } })
  if (work.state !== 'run') return
  const error = {
    code: 'internal' as const,
    message: `The ${work.direction} was started repeatedly, and no worker completed it`,
  }
  await rpc.failGitOperation({ body: { operationId, attempt: work.attempt, error, retry: false, warnings: [] } })
}

function jobTimedOut({ direction }: Work, limit: number): ImportFailure {
  return new ImportFailure('timeout', `The ${direction} took longer than the limit of ${limit / 1_000} seconds`, {
    transient: false,
  })
}

interface Attempt {
  operationId: string
  work: Work
  lease: Lease
  warnings: Warning[]
}

type Done = { imported: Imported } | { exported: Exported; revision: string }

/** Retries transient failures. */
async function tryWork(tools: JobTools, attempt: Attempt): Promise<Done> {
  const { backoffMs = [1_000, 3_000] } = tools
  const { signal } = attempt.lease
  for (let retries = 0; ; retries++) {
    try {
      return await doWork(tools, attempt)
    } catch (error) {
      const pause = backoffMs[retries]
      if (pause === undefined || !toImportFailure(error).transient || signal.aborted) throw error
      await sleep(pause, undefined, { signal })
    }
  }
}

async function doWork(tools: JobTools, { operationId, work, lease, warnings }: Attempt): Promise<Done> {
  const all = { ...tools, signal: lease.signal, warnings, onProgress: lease.progress }
  if (work.direction === 'import') return { imported: await importRepository(work, all) }
  if (!work.export) throw new ImportFailure('internal', 'The content to export is gone')
  const bundle = (documents: string[]) =>
    tools.rpc.bundleGitDocuments({ body: { operationId, attempt: work.attempt, documents } })
  const describeBase = (base: string) =>
    tools.rpc.describeGitBase({ body: { operationId, attempt: work.attempt, revision: base } })
  const { revision } = work.export
  const recordPush: ExportTools['recordPush'] = push => lease.recordPush({ ...push, revision })
  const exported = await exportRepository(
    { ...work, export: work.export },
    { ...all, bundle, describeBase, recordPush },
  )
  return { exported, revision }
}

async function finish(
  { rpc, log }: JobTools,
  { operationId, work, ...done }: { operationId: string; work: Work } & Done,
): Promise<JobOutcome> {
  const attempt = { operationId, attempt: work.attempt }
  if ('imported' in done) {
    const { revision } = await rpc.finishGitImport({ body: { ...attempt, ...done.imported } })
    log.info({ operationId, revision, commit: done.imported.commit.oid }, 'imported')
  } else {
    const { revision } = await rpc.finishGitExport({ body: { ...attempt, revision: done.revision, ...done.exported } })
    log.info({ operationId, revision, commit: done.exported.commit.oid }, 'exported')
  }
  return 'done'
}

interface FailedJob {
  operationId: string
  work: Work
  warnings: Warning[]
  error: unknown
}

async function reportFailure(
  { rpc, log, signal }: JobTools,
  { operationId, work, warnings, error }: FailedJob,
): Promise<JobOutcome> {
  if (error instanceof LeaseLost) return 'done'
  // Content is unavailable, so nothing can be reported: the job is redelivered.
  if (isUnavailable(error) && !signal.aborted) throw error
  const failure = signal.aborted
    ? new ImportFailure('internal', 'The worker was stopped', { transient: true })
    : toImportFailure(error, work.direction)
  const isOurs = failure.code === 'internal'
  if (isOurs && !signal.aborted) log.error({ operationId, err: failure.cause }, `${work.direction} failed unexpectedly`)
  const { code } = failure
  const body = {
    operationId,
    attempt: work.attempt,
    error: errorOf(failure, work.credentials),
    retry: isOurs,
    warnings: limitWarnings(warnings, maxWarnings),
  }
  const { retry } = await rpc.failGitOperation({ body })
  log.info({ operationId, code, retry }, `${work.direction} failed`)
  return retry ? { retryIn: signal.aborted ? stoppedRetryMs : failureRetryMs } : 'done'
}

/** A failure as content stores it: shortened, and without the credentials that a server may repeat. */
export function errorOf({ code, message, path }: ImportFailure, credentials: Work['credentials']) {
  return {
    code,
    message: truncateMiddle(withoutSecrets(message, credentials), maxMessageLength),
    ...(path !== undefined && { path: truncateMiddle(path, maxPathLength) }),
  }
}
