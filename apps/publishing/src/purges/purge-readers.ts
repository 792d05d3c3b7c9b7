import type { Db } from '@recto/database'
import { OutgoingFailure } from '@recto/outgoing'
import type { PeriodicWork } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { outcomeOf, reasonOf, retryIn, type PurgeOutcome, type RetryTimes } from './purge.rules.ts'
import * as purges from './purges.repository.ts'
import { createReaderClient, type ReaderClient } from './reader-client.ts'

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
  readers: readonly string[]
  /** Without it readers are not notified: they would refuse. */
  secret: string | undefined
  times: PurgeTimes
  log: Log
  metrics: Metrics | undefined
}

/** Has every reader purge what was requested, as one piece of work for each, since one that is slow must not delay another. */
export function readerPurgeJob(options: PurgeOptions): { works: PeriodicWork[]; stop(): Promise<void> } {
  const { db, readers, secret, times, metrics } = options
  if (secret === undefined || readers.length === 0) {
    const forget = () => purges.giveUp(db, times.giveUp, [])
    const work = { name: 'forget purges', every: 3_600_000, run: async () => void (await forget()) }
    return { works: [work], stop: async () => undefined }
  }
  metrics?.registerQueue('reader.purges', () => purges.countPending(db))
  const client = createReaderClient({ readers, secret, timeout: times.timeout })
  const works = readers.map(reader => {
    const once = { hasStarted: false }
    return {
      name: `purge the reader ${new URL(reader).host}`,
      every: times.every,
      rows: { tables: ['reader_purges', 'readers'], untilDue: () => purges.untilPurge(db, reader) },
      run: async (signal: AbortSignal) => {
        if (!once.hasStarted) await purges.retryReaders(db, [reader])
        once.hasStarted = true
        await purgeOnce({ ...options, client, reader }, signal)
      },
    }
  })
  return { works, stop: () => client.close() }
}

interface Purging extends PurgeOptions {
  client: ReaderClient
  reader: string
}

/** Sends one request when a tag waits, no other replica sends one, and the last failure is long enough ago. */
async function purgeOnce(purging: Purging, signal: AbortSignal): Promise<void> {
  const { db, reader, readers, times } = purging
  if ((await purges.listPending(db, reader, 1)).length === 0) return
  const attempts = await purges.takeReader(db, reader, 2 * times.timeout)
  if (attempts === undefined) return
  await giveUp(purging)
  // Read after the reader was taken: what another replica has done since is not done again.
  const pending = await purges.listPending(db, reader, tagsAtOnce)
  if (pending.length === 0) return purges.releaseReader(db, reader, { attempts, ms: 0 })
  const outcome = await send(purging, pending, { attempts, signal })
  if (outcome === undefined) return purges.releaseReader(db, reader, { attempts, ms: 0 })
  if (outcome !== 'purged') {
    const ms = outcome === 'refused' ? times.longest : retryIn(attempts + 1, times, Math.random())
    return purges.releaseReader(db, reader, { attempts: attempts + 1, ms })
  }
  await purges.markPurged(db, pending, { reader, readers })
  await purges.releaseReader(db, reader, { attempts: 0, ms: times.every / 2 })
}

/** Asks the reader; undefined when the service stops first, so that nobody knows whether the reader did it. */
async function send(
  { client, reader, log, metrics }: Purging,
  pending: readonly purges.PendingPurge[],
  { attempts, signal }: { attempts: number; signal: AbortSignal },
): Promise<PurgeOutcome | undefined> {
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
    if (signal.aborted) return undefined
    if (!(error instanceof OutgoingFailure)) throw error
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
