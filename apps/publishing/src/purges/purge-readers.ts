import type { Db } from '@recto/database'
import { createWorker, retryDelay, type RetryTimes, type RunningJob, type Worker } from '@recto/jobs'
import { OutgoingFailure } from '@recto/outgoing'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { outcomeOf, reasonOf, type PurgeOutcome } from './purge.rules.ts'
import * as purges from './purges.repository.ts'
import { createReaderClient, type ReaderClient } from './reader-client.ts'
import type { ReaderRow } from './reader.entity.ts'

/** Tags of one request. */
const tagsAtOnce = 500

/** Times in milliseconds. */
export interface PurgeTimes extends RetryTimes {
  /** Between looking for tags, and between two requests to a reader: what changes meanwhile goes into one. */
  every: number
  /** For the answer of a reader. */
  timeout: number
  /** For which a tag is tried. */
  giveUp: number
}

/** Times of an installation, for a tag that is tried for some hours. */
export function purgeTimes(hours: number): PurgeTimes {
  return { every: 1_000, timeout: 10_000, first: 1_000, longest: 300_000, giveUp: hours * 3_600_000 }
}

/** Which readers purge, and how. */
export interface PurgeOptions {
  db: Db
  transaction: RunTransaction
  readers: readonly string[]
  /** Without it readers are not notified: they would refuse. */
  secret: string | undefined
  times: PurgeTimes
  log: Log
  metrics: Metrics | undefined
}

/** Has every reader purge what was requested, all at the same time, since one that is slow must not delay another. */
export function readerPurgeJob(options: PurgeOptions): { works: PeriodicWork[]; stop(): Promise<void> } {
  const { db, readers, secret, times, metrics } = options
  if (secret === undefined || readers.length === 0) {
    const forget = () => purges.giveUp(db, times.giveUp, [])
    const work = { name: 'forget purges', every: 3_600_000, run: async () => void (await forget()) }
    return { works: [work], stop: async () => undefined }
  }
  metrics?.registerQueue('reader.purges', () => purges.countPending(db))
  const client = createReaderClient({ readers, secret, timeout: times.timeout })
  const worker = createPurger({ ...options, client })
  const opening: { done?: Promise<void> } = {}
  const open = () =>
    purges.openReaders(db, readers).catch((error: unknown) => (delete opening.done, Promise.reject(error)))
  const run = async () => {
    await (opening.done ??= open())
    await worker.work.run()
  }
  const stop = async () => {
    await worker.stop()
    await client.close()
  }
  return { works: [{ ...worker.work, run }], stop }
}

interface Purging extends PurgeOptions {
  client: ReaderClient
}

/** A job is one request to one reader, which no other replica asks meanwhile. */
function createPurger(purging: Purging): Worker {
  const { db, transaction, readers, times, log } = purging
  return createWorker<ReaderRow>({
    name: 'readers',
    table: purges.readerJobs(readers, 2 * times.timeout),
    wokenBy: ['reader_purges', 'readers'],
    db,
    transaction,
    log,
    concurrency: readers.length,
    every: times.every,
    heartbeat: times.timeout,
    timeoutMs: 4 * times.timeout,
    attempt: (reader, job) => purgeOnce(purging, reader, job),
    giveUp: async () => undefined,
  })
}

async function purgeOnce(purging: Purging, reader: ReaderRow, job: RunningJob<ReaderRow>): Promise<void> {
  const { db, readers, times } = purging
  const { url, attempts } = reader
  const nextIn = (ms: number, failures: number) =>
    job.save({ attempts: failures, nextAttemptAt: new Date(Date.now() + ms) })
  await giveUp(purging)
  // Read after the reader was taken: what another replica has done since is not done again.
  const pending = await purges.listPending(db, url, tagsAtOnce)
  if (pending.length === 0) return nextIn(0, attempts)
  const outcome = await send(purging, pending, { reader: url, attempts, signal: job.signal })
  if (outcome === 'refused') return nextIn(times.longest, attempts + 1)
  if (outcome === 'failed') return nextIn(retryDelay(attempts + 1, times, Math.random()), attempts + 1)
  await purges.markPurged(db, pending, { reader: url, readers })
  await nextIn(times.every / 2, 0)
}

/** Asks the reader; throws when the service stops first, so that nobody knows whether the reader did it. */
async function send(
  { client, log, metrics }: Purging,
  pending: readonly purges.PendingPurge[],
  { reader, attempts, signal }: { reader: string; attempts: number; signal: AbortSignal },
): Promise<PurgeOutcome> {
  const started = performance.now()
  const observe = (code?: string) =>
    metrics?.operations.observe({ operation, seconds: (performance.now() - started) / 1000, code })
  const details = { reader: new URL(reader).host, tags: pending.length, attempts: attempts + 1 }
  try {
    const status = await client.purge(
      reader,
      pending.map(({ tag }) => tag),
      signal,
    )
    const outcome = outcomeOf(status)
    observe(outcome === 'purged' ? undefined : outcome)
    if (outcome === 'refused')
      log.error({ ...details, status }, `the reader is not notified of changes: ${reasonOf(status)}`)
    if (outcome === 'failed') log.warn({ ...details, status }, 'the reader failed, and is notified again later')
    return outcome
  } catch (error) {
    if (signal.aborted || !(error instanceof OutgoingFailure)) throw error
    observe(error.code)
    log.warn({ ...details, err: error }, 'the reader cannot be reached, and is notified again later')
    return 'failed'
  }
}

/** The name of a request to a reader in metrics. */
const operation = 'purgeReader'

/** Drops what was tried for too long: until it changes again, readers show it as it was. */
async function giveUp({ db, readers, times, log, metrics }: Purging): Promise<void> {
  const dropped = await purges.giveUp(db, times.giveUp, readers)
  for (const reader of readers) {
    const tags = dropped.filter(({ missing }) => missing.includes(reader)).map(({ tag }) => tag)
    if (tags.length === 0) continue
    metrics?.operations.observe({ operation, seconds: times.giveUp / 1000, code: 'gave_up' })
    log.error(
      { reader: new URL(reader).host, tags: tags.slice(0, 100), count: tags.length },
      'the reader was not notified of changes in time, and goes on showing what it keeps',
    )
  }
}
