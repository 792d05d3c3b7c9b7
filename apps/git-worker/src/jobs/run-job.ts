import { setTimeout as sleep } from 'node:timers/promises'
import { keepLease } from '@recto/jobs'
import { exportRepository, type ExportResult, type ExportTools } from '../exports/export-repository.ts'
import { importPush, type PushTools } from '../imports/import-push.ts'
import { importRepository, type ImportTools } from '../imports/import-repository.ts'
import type { ImportResult } from '../imports/store-manifest.ts'
import { limitWarnings, ImportFailure, truncateMiddle, type Warning } from '@recto/repository-content'
import { withoutSecrets } from '../failures/plain-text.ts'
import { isUnavailable, toImportFailure } from '../failures/classify.ts'
import type { Attempt, Attempts, Preparation } from '../attempts/attempts.ts'
import { AttemptReports, LeaseLost } from './attempt-reports.ts'

/** Dependencies of a job. Times are milliseconds. */
export interface JobTools extends Pick<ImportTools, 'outgoing' | 'cache' | 'limits'> {
  blobs: PushTools['blobs'] & ExportTools['blobs']
  attempts: Attempts
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Aborts when the worker stops. */
  signal: AbortSignal
  heartbeatMs?: number
  /** Pauses before the second and the third try. */
  backoffMs?: readonly number[]
  /** Pause before an apply call that content did not answer is repeated. */
  applyRetryMs?: number
}

/** The outcome of a job: acknowledged, or redelivered after some milliseconds. */
export type JobOutcome = 'done' | { retryIn: number }

/** An attempt with its data from content. */
type Work = Attempt & Preparation

const busyRetryMs = 5_000
const failureRetryMs = 10_000
const stoppedRetryMs = 500
/** Pause before an apply call that content did not answer is repeated. */
const applyRetryMs = 1_000

/** A call is one bus message of limited size. */
const maxWarnings = 200
const maxMessageLength = 5_000
const maxPathLength = 4_096

/** Runs an import or export and records its result, success or failure; throws only when content or the database is unavailable. */
export async function runJob(tools: JobTools, { operationId }: { operationId: string }): Promise<JobOutcome> {
  const attempt = await tools.attempts.start(operationId)
  if (attempt === 'done') return 'done'
  if (attempt === 'busy') return { retryIn: busyRetryMs }
  const { limits, signal: stopping, heartbeatMs = 5_000 } = tools
  const stop = new AbortController()
  const times = { every: heartbeatMs, timeoutMs: limits.jobTimeoutMs, late: jobTimedOut(attempt, limits.jobTimeoutMs) }
  const lost = new LeaseLost('Another worker has taken the operation over')
  const reports = new AttemptReports({ attempts: tools.attempts, attempt, stop, lost })
  let outcome: JobOutcome = 'done'
  await keepLease({ ...times, stopping, stop, lost, beat: reports.beat, onError: () => undefined }, async () => {
    outcome = await attemptWork(tools, { attempt, reports }).finally(() => reports.waitUntilSent())
  })
  return outcome
}

async function attemptWork(
  tools: JobTools,
  { attempt, reports }: { attempt: Attempt; reports: AttemptReports },
): Promise<JobOutcome> {
  const warnings: Warning[] = []
  try {
    const preparation = await prepare(tools, attempt)
    if (!preparation) return 'done'
    const work = { ...attempt, ...preparation }
    const result = await tryWork(tools, { work, reports, warnings })
    await reports.assertLeaseHeld()
    return await finish(tools, { work, reports, result })
  } catch (error) {
    return reportFailure(tools, { attempt, warnings, error: reports.signal.aborted ? reports.signal.reason : error })
  }
}

/** An attempt that content does not answer is not counted: content will answer again, and an operation has few attempts. */
async function prepare({ attempts }: JobTools, attempt: Attempt): Promise<Preparation | undefined> {
  try {
    return await attempts.prepare(attempt)
  } catch (error) {
    if (isUnavailable(error)) await attempts.undo(attempt)
    throw error
  }
}

/** Fails an operation whose job was delivered too often. An operation that a worker holds is left alone until its lease expires. */
export async function abandonJob(
  { attempts }: Pick<JobTools, 'attempts'>,
  { operationId }: { operationId: string },
): Promise<void> {
  const attempt = await attempts.start(operationId)
  if (typeof attempt === 'string') return
  const error = {
    code: 'internal' as const,
    message: `The ${attempt.direction} was started repeatedly, and no worker completed it`,
  }
  await attempts.fail(attempt, { error, retry: false, warnings: [] })
}

function jobTimedOut({ direction }: Attempt, limit: number): ImportFailure {
  return new ImportFailure('timeout', `The ${direction} took longer than the limit of ${limit / 1_000} seconds`, {
    transient: false,
  })
}

interface LeasedWork {
  work: Work
  reports: AttemptReports
  warnings: Warning[]
}

type WorkResult = { imported: ImportResult } | { exported: ExportResult; revision: string }

/** Retries transient failures. */
async function tryWork(tools: JobTools, leasedWork: LeasedWork): Promise<WorkResult> {
  const { backoffMs = [1_000, 3_000] } = tools
  const { signal } = leasedWork.reports
  for (let retries = 0; ; retries++) {
    try {
      return await doWork(tools, leasedWork)
    } catch (error) {
      const pause = backoffMs[retries]
      if (pause === undefined || !toImportFailure(error).transient || signal.aborted) throw error
      await sleep(pause, undefined, { signal })
    }
  }
}

async function doWork(tools: JobTools, { work, reports, warnings }: LeasedWork): Promise<WorkResult> {
  const all = { ...tools, signal: reports.signal, warnings, onProgress: reports.progress }
  if (work.push) return { imported: await importPush({ ...work, ...work.push, pack: work.pack }, all) }
  if (work.direction === 'import') return { imported: await importRepository(work, all) }
  if (!work.export) throw new ImportFailure('internal', 'The content to export is gone')
  const { revision } = work.export
  const bundle = (documents: string[]) => tools.attempts.bundle(work, revision, documents)
  const describeBase = (base: string) => tools.attempts.describeBase(work, base)
  const recordPush: ExportTools['recordPush'] = push => reports.recordPush({ ...push, revision })
  const exported = await exportRepository(
    { ...work, export: work.export },
    { ...all, bundle, describeBase, recordPush },
  )
  return { exported, revision }
}

/** Has content apply the result, once. The idempotent call is repeated until content answers and the answer is recorded. */
async function finish(
  tools: JobTools,
  { work, reports, result }: { work: Work; reports: AttemptReports; result: WorkResult },
): Promise<JobOutcome> {
  for (;;) {
    try {
      return await apply(tools, work, result)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await sleep(tools.applyRetryMs ?? applyRetryMs, undefined, { signal: reports.signal })
    }
  }
}

async function apply({ attempts, log }: JobTools, work: Work, result: WorkResult): Promise<JobOutcome> {
  const { operationId } = work
  if ('imported' in result) {
    const { revision } = await attempts.finishImport(work, result.imported)
    log.info({ operationId, revision, commit: result.imported.commit.oid }, 'imported')
  } else {
    const { revision } = await attempts.finishExport(work, { revision: result.revision, ...result.exported })
    log.info({ operationId, revision, commit: result.exported.commit.oid }, 'exported')
  }
  return 'done'
}

interface FailedJob {
  attempt: Attempt
  warnings: Warning[]
  error: unknown
}

async function reportFailure(
  { attempts, log, signal }: JobTools,
  { attempt, warnings, error }: FailedJob,
): Promise<JobOutcome> {
  if (error instanceof LeaseLost) return 'done'
  // The job is redelivered.
  if (isUnavailable(error) && !signal.aborted) throw error
  const { operationId, direction } = attempt
  const failure = signal.aborted
    ? new ImportFailure('internal', 'The worker was stopped', { transient: true })
    : toImportFailure(error, direction)
  const isOurs = failure.code === 'internal'
  if (isOurs && !signal.aborted) log.error({ operationId, err: failure.cause }, `${direction} failed unexpectedly`)
  const { code } = failure
  const { retry } = await attempts.fail(attempt, {
    error: errorOf(failure, attempt.credentials),
    retry: isOurs,
    warnings: limitWarnings(warnings, maxWarnings),
  })
  log.info({ operationId, code, retry }, `${direction} failed`)
  return retry ? { retryIn: signal.aborted ? stoppedRetryMs : failureRetryMs } : 'done'
}

/** Presents a failure for storage: shortened, and without credentials, which a server may repeat. */
export function errorOf({ code, message, path }: ImportFailure, credentials: Work['credentials']) {
  return {
    code,
    message: truncateMiddle(withoutSecrets(message, credentials), maxMessageLength),
    ...(path !== undefined && { path: truncateMiddle(path, maxPathLength) }),
  }
}
