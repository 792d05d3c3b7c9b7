import type { Db } from '@recto/database'
import { createWorker, retryDelay, type JobTable, type RetryTimes, type RunningJob } from '@recto/jobs'
import { OutgoingFailure } from '@recto/outgoing'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { outcomeOf, type PurgeOutcome } from './purge.rules.ts'
import type { PlaceRow } from './purge-places.repository.ts'

/** Times of requests in milliseconds. */
export interface RequestTimes extends RetryTimes {
  /** Between looking for tags that are due. */
  every: number
  /** For the answer of a place. */
  timeout: number
}

/** Places of one kind, and how they are asked to drop tags. */
export interface Places<Row extends PlaceRow, Due extends { tag: string }> {
  /** The name of the work in the log. */
  name: string
  /** The name of a request in metrics. */
  operation: string
  table: JobTable<Row>
  wokenBy: string[]
  /** Requests at the same time, since a place that is slow must not delay another. */
  concurrency: number
  /** Milliseconds between two requests to a place: what changes meanwhile goes into one. */
  pause: number
  /** Writes the rows of the places, before the first request. */
  open(): Promise<void>
  /** Tags that a place has to drop, as many as one request takes. */
  listDue(place: Row): Promise<Due[]>
  /** The status of its answer; throws `OutgoingFailure` when there is none, and the reason of the signal. */
  ask(place: Row, tags: readonly string[], signal: AbortSignal): Promise<number>
  markTaken(place: Row, due: readonly Due[]): Promise<void>
  /** A place in the log, without secrets. */
  describe(place: Row): object
  /** Messages of the log. */
  messages: { refused(place: Row, status: number): string; failed: string; unreachable: string }
  close(): Promise<void>
}

/** The service that the work is done in. */
export interface PurgeTools {
  db: Db
  transaction: RunTransaction
  log: Log
  metrics: Metrics | undefined
}

/** Work that a service starts and stops. */
export interface PurgeJob {
  works: PeriodicWork[]
  stop(): Promise<void>
}

/** Has every place drop what was requested. A job is one request to one place, which no other replica asks meanwhile: so they arrive in order. */
export function purgeJob<Row extends PlaceRow, Due extends { tag: string }>(
  places: Places<Row, Due>,
  times: RequestTimes,
  tools: PurgeTools,
): PurgeJob {
  const { name, table, wokenBy, concurrency } = places
  const { db, transaction, log } = tools
  const worker = createWorker<Row>({
    name,
    table,
    wokenBy,
    db,
    transaction,
    log,
    concurrency,
    every: times.every,
    heartbeat: times.timeout,
    timeoutMs: 4 * times.timeout,
    attempt: (place, job) => purgeOnce({ places, times, tools }, place, job),
    giveUp: async () => undefined,
  })
  let opening: Promise<void> | undefined
  const open = () =>
    (opening ??= places.open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  const run = async () => {
    await open()
    await worker.work.run()
  }
  const stop = async () => {
    await worker.stop()
    await places.close()
  }
  return { works: [{ ...worker.work, run }], stop }
}

interface Purging<Row extends PlaceRow, Due extends { tag: string }> {
  places: Places<Row, Due>
  times: RequestTimes
  tools: PurgeTools
}

async function purgeOnce<Row extends PlaceRow, Due extends { tag: string }>(
  purging: Purging<Row, Due>,
  place: Row,
  job: RunningJob<Row>,
): Promise<void> {
  const { places, times } = purging
  const { attempts } = place
  const nextIn = (ms: number, failures: number) =>
    job.save({ attempts: failures, nextAttemptAt: new Date(Date.now() + ms) } as Partial<Row>)
  // Read after the place was taken: what another replica has done since is not done again.
  const due = await places.listDue(place)
  if (due.length === 0) return nextIn(0, attempts)
  const tags = due.map(({ tag }) => tag)
  const outcome = await send(purging, place, { tags, signal: job.signal })
  if (outcome === 'refused') return nextIn(times.longest, attempts + 1)
  if (outcome === 'failed') return nextIn(retryDelay(attempts + 1, times, Math.random()), attempts + 1)
  await places.markTaken(place, due)
  await nextIn(places.pause, 0)
}

/** Asks a place; throws when the service stops first, so that nobody knows whether it dropped the tags. */
async function send<Row extends PlaceRow, Due extends { tag: string }>(
  { places, tools: { log, metrics } }: Purging<Row, Due>,
  place: Row,
  { tags, signal }: { tags: readonly string[]; signal: AbortSignal },
): Promise<PurgeOutcome> {
  const { operation, messages } = places
  const started = performance.now()
  const observe = (code?: string) =>
    metrics?.operations.observe({ operation, seconds: (performance.now() - started) / 1000, code })
  const details = { ...places.describe(place), tags: tags.length, attempts: place.attempts + 1 }
  try {
    const status = await places.ask(place, tags, signal)
    const outcome = outcomeOf(status)
    observe(outcome === 'purged' ? undefined : outcome)
    if (outcome === 'refused') log.error({ ...details, status }, messages.refused(place, status))
    if (outcome === 'failed') log.warn({ ...details, status }, messages.failed)
    return outcome
  } catch (error) {
    if (signal.aborted || !(error instanceof OutgoingFailure)) throw error
    observe(error.code)
    log.warn({ ...details, err: error }, messages.unreachable)
    return 'failed'
  }
}
