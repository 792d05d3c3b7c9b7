import { reasonOf } from './purge.rules.ts'
import { purgeJob, type Places, type PurgeJob, type PurgeTools, type RequestTimes } from './purge-worker.ts'
import * as purges from './purges.repository.ts'
import { createReaderClient } from './reader-client.ts'
import type { ReaderRow } from './reader.entity.ts'

/** Tags of one request. */
const tagsAtOnce = 500

/** Times in milliseconds; between two requests to a reader is half of `every`: what changes meanwhile goes into one. */
export interface PurgeTimes extends RequestTimes {
  /** For which a tag is tried. */
  giveUp: number
}

/** Times of an installation, for a tag that is tried for some hours. */
export function purgeTimes(hours: number): PurgeTimes {
  return { every: 1_000, timeout: 10_000, first: 1_000, longest: 300_000, giveUp: hours * 3_600_000 }
}

/** Which readers purge, and how. */
export interface PurgeOptions extends PurgeTools {
  readers: readonly string[]
  /** Without it readers are not notified: they would refuse. */
  secret: string | undefined
  times: PurgeTimes
}

/** Has every reader purge what was requested, all at the same time, since one that is slow must not delay another. */
export function readerPurgeJob(options: PurgeOptions): PurgeJob {
  const { db, readers, secret, times, metrics } = options
  if (secret === undefined || readers.length === 0) {
    const forget = () => purges.giveUp(db, times.giveUp, [])
    const work = { name: 'forget purges', every: 3_600_000, run: async () => void (await forget()) }
    return { works: [work], stop: async () => undefined }
  }
  metrics?.registerQueue('reader.purges', () => purges.countPending(db))
  return purgeJob(placesOf({ ...options, secret }), times, options)
}

/** The name of a request to a reader in metrics. */
const operation = 'purgeReader'

function placesOf(options: PurgeOptions & { secret: string }): Places<ReaderRow, purges.PendingPurge> {
  const { db, readers, secret, times } = options
  const client = createReaderClient({ readers, secret, timeout: times.timeout })
  return {
    name: 'readers',
    operation,
    table: purges.readerJobs(readers, 2 * times.timeout),
    wokenBy: ['reader_purges', 'readers'],
    concurrency: readers.length,
    pause: times.every / 2,
    open: () => purges.openReaders(db, readers),
    async listDue({ url }) {
      await giveUp(options)
      return purges.listPending(db, url, tagsAtOnce)
    },
    ask: ({ url }, tags, signal) => client.purge(url, tags, signal),
    markTaken: ({ url }, pending) => purges.markPurged(db, pending, { reader: url, readers }),
    describe: ({ url }) => ({ reader: new URL(url).host }),
    messages: {
      refused: (_row, status) => `the reader is not notified of changes: ${reasonOf(status)}`,
      failed: 'the reader failed, and is notified again later',
      unreachable: 'the reader cannot be reached, and is notified again later',
    },
    close: () => client.close(),
  }
}

/** Drops what was tried for too long: until it changes again, readers show it as it was. */
async function giveUp({ db, readers, times, log, metrics }: PurgeOptions): Promise<void> {
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
