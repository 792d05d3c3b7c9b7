import { createHash } from 'node:crypto'
import type { BlobStore } from '@recto/blobs'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import type { Db, Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import { withLease, type PeriodicWork, type RowLease, type RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { SpecRow } from '../specs/spec.entity.ts'
import * as specs from '../specs/specs.repository.ts'
import { afterProcessing, dueAt, leaseLength, maxAttempts, type Outcome } from '../specs/specs.rules.ts'
import * as versions from '../versions/versions.repository.ts'
import { readSource, type ReadingTools, type SourceReading } from './read-source.ts'

const heartbeat = 5_000
/** Milliseconds between two looks at what is due, at least. */
const interval = 1_000

/** The tools of processing. Times are milliseconds. */
export interface ProcessorTools extends ReadingTools {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'info' | 'warn' | 'error'>
  contents: BlobStore
  pollInterval: number
  timeoutMs: number
  concurrency: number
}

/** Processes specifications that are due. Their rows are the queue: what a process leaves behind, another one takes over. */
export interface Processor {
  work: PeriodicWork
  /** Looks for what is due now. */
  wake(): void
  /** Hands what is running back to the queue, and starts nothing more. */
  stop(): Promise<void>
}

/** Starts nothing by itself. */
export function createProcessor(tools: ProcessorTools): Processor {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const take = async (): Promise<void> => {
    const free = tools.concurrency - running.size
    if (free <= 0 || stopping.signal.aborted) return
    for (const spec of await takeDue(tools, free)) start(spec)
  }
  const start = (spec: specs.LeasedSpec): void => {
    const work = attempt(tools, spec, stopping.signal)
      .catch((error: unknown) => tools.log.warn({ err: error, spec: spec.id }, 'processing was interrupted'))
      .finally(() => {
        running.delete(work)
        wake()
      })
    running.add(work)
  }
  let taking: Promise<void> = Promise.resolve()
  const wake = (): void => {
    taking = taking.then(take).catch((error: unknown) => tools.log.warn({ err: error }, 'due specifications not taken'))
  }
  return {
    wake,
    work: {
      name: 'specifications',
      every: interval,
      rows: { tables: ['openapi_specs'], untilDue: () => specs.untilDue(tools.db, leaseLength) },
      async run() {
        wake()
        await taking
      },
    },
    async stop() {
      stopping.abort(new Error('the service stops'))
      await taking
      await Promise.all(running)
    },
  }
}

/** Takes the lease of specifications that are due; two processes never take the same one. */
function takeDue({ transaction, pollInterval }: ProcessorTools, limit: number): Promise<specs.LeasedSpec[]> {
  return transaction(async tx => {
    const taken: specs.LeasedSpec[] = []
    for (const spec of await specs.lockDue(tx, { silence: leaseLength, limit })) {
      const now = new Date()
      if (spec.attempts >= maxAttempts) {
        const message = `The specification could not be processed in ${maxAttempts} attempts`
        const outcome: Outcome = { kind: 'failure', code: 'PARSE_ERROR', errors: [{ code: 'GAVE_UP', message }] }
        await specs.update(tx, spec.id, changesOf(spec, outcome, pollInterval))
        continue
      }
      const attempts = spec.attempts + 1
      const started = { state: 'progress' as const, attempts, lease: createId(), heartbeatAt: now }
      await specs.update(tx, spec.id, started)
      taken.push({ ...spec, ...started })
    }
    return taken
  })
}

function changesOf(spec: SpecRow, outcome: Outcome, pollInterval: number): Partial<SpecRow> {
  return afterProcessing(spec, outcome, { now: new Date(), interval: pollInterval, random: Math.random() })
}

async function attempt(tools: ProcessorTools, spec: specs.LeasedSpec, stopping: AbortSignal): Promise<void> {
  const lease = leaseOf(tools, spec, stopping)
  await withLease(lease, async stop => {
    try {
      const text = spec.sourceUrl === null ? await specs.textOf(tools.db, spec.id) : undefined
      const reading = await readSource(spec, text, { tools, signal: stop.signal }).catch((error: unknown) => {
        if (stop.signal.reason === lease.late) return tookTooLong(tools.timeoutMs)
        throw error
      })
      await finish(tools, spec, reading)
    } catch (error) {
      const back = { ...dueAt(new Date()), attempts: spec.attempts - (stopping.aborted ? 1 : 0) }
      await specs.updateLeased(tools.db, spec, back)
      if (!stopping.aborted) throw error
    }
  })
}

function leaseOf({ db, log, timeoutMs }: ProcessorTools, spec: specs.LeasedSpec, stopping: AbortSignal): RowLease {
  return {
    ...{ stopping, timeoutMs, every: heartbeat },
    late: new Failure('timeout', 'Processing took too long'),
    lost: new Failure('conflict', 'Another attempt works on the specification, or it is gone'),
    beat: () => specs.updateLeased(db, spec, { heartbeatAt: new Date() }),
    onError: error => log.warn({ err: error, spec: spec.id }, 'the lease of a specification was not renewed'),
  }
}

function tookTooLong(limit: number): SourceReading {
  const message = `Fetching and reading the specification took longer than ${limit / 1_000} seconds`
  return { kind: 'failure', code: 'FETCH_TIMEOUT', errors: [{ code: 'TIMEOUT', message }] }
}

async function finish(tools: ProcessorTools, { id, lease }: specs.LeasedSpec, reading: SourceReading): Promise<void> {
  await tools.transaction(async tx => {
    const spec = await specs.lockById(tx, id)
    if (spec?.lease !== lease) return
    const outcome = await outcomeOf(tx, { spec, reading, tools })
    await specs.update(tx, id, changesOf(spec, outcome, tools.pollInterval))
    tools.log.info({ spec: id, outcome: outcome.kind === 'failure' ? outcome.code : outcome.kind }, 'processed')
  })
}

async function outcomeOf(
  tx: Transaction,
  { spec, reading, tools }: { spec: SpecRow; reading: SourceReading; tools: ProcessorTools },
): Promise<Outcome> {
  if (reading.kind === 'failure') return reading
  if (reading.kind === 'unchanged')
    return { kind: 'unchanged', validators: { etag: spec.etag, lastModified: spec.lastModified } }
  const { json, outline, validators } = reading
  // A change of the source ends the lease, so this is the one that was read.
  const { sourceUrl } = spec
  const hash = createHash('sha256').update(json).digest('hex')
  const last = spec.lastVersion === null ? undefined : await versions.get(tx, { specId: spec.id, id: spec.lastVersion })
  if (last?.hash === hash && last.outline !== null) return { kind: 'unchanged', validators }
  await versions.lockContent(tx, hash)
  await tools.contents.put(Buffer.from(json))
  const version = { id: createId(), specId: spec.id, hash, sourceUrl, url: sourceUrl, outline, createdAt: new Date() }
  await versions.insert(tx, version)
  const { organizationId: organization, slug } = spec
  await tx.publish(openApiSpecEvents.versionAdded, { organization, spec: spec.id, slug, version: version.id })
  return { kind: 'version', version: version.id, validators }
}
