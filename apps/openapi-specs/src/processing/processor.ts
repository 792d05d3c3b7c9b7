import { createHash } from 'node:crypto'
import type { BlobStore } from '@recto/blobs'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { recorded } from '@recto/contracts-shared'
import type { Db, Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import { createId, Failure } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { SpecRow } from '../specs/spec.entity.ts'
import * as specs from '../specs/specs.repository.ts'
import { afterProcessing, maxAttempts, type Outcome } from '../specs/specs.rules.ts'
import { rawFormatOf } from '../versions/raw-format.rules.ts'
import * as versions from '../versions/versions.repository.ts'
import { readSource, type ReadingTools, type SourceReading } from './read-source.ts'

const late = new Failure('timeout', 'Processing took too long')

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

/** Processes specifications that are due. */
export type Processor = Worker

/** Starts nothing by itself. */
export function createProcessor(tools: ProcessorTools): Processor {
  const { db, transaction, log, concurrency, timeoutMs, pollInterval } = tools
  return createWorker<SpecRow>({
    name: 'specifications',
    table: specs.specJobs,
    wokenBy: ['openapi_specs'],
    db,
    transaction,
    log,
    concurrency,
    timeoutMs,
    late,
    every: 1_000,
    heartbeat: 5_000,
    attempt: (spec, job) => attempt(tools, spec, job),
    async giveUp(tx, spec) {
      const message = `The specification could not be processed in ${maxAttempts} attempts`
      const outcome: Outcome = { kind: 'failure', code: 'PARSE_ERROR', errors: [{ code: 'GAVE_UP', message }] }
      await writeOutcome(tx, spec, { outcome, pollInterval })
    },
  })
}

/** Writes how processing ended, and records a new version, or a failure that the processing before did not have. */
async function writeOutcome(
  tx: Transaction,
  spec: SpecRow,
  { outcome, pollInterval }: { outcome: Outcome; pollInterval: number },
): Promise<void> {
  const timing = { now: new Date(), interval: pollInterval, random: Math.random() }
  await specs.update(tx, spec.id, afterProcessing(spec, outcome, timing))
  const place = { organization: spec.organizationId, openapiSpec: spec.id }
  if (outcome.kind === 'version')
    tx.record(recorded('openapi-spec.version.added', { ...place, details: { version: outcome.version } }))
  if (outcome.kind === 'failure' && outcome.code !== spec.errorCode)
    tx.record(recorded('openapi-spec.failed', { ...place, details: { code: outcome.code } }))
}

async function attempt(tools: ProcessorTools, spec: SpecRow, { signal }: RunningJob<SpecRow>): Promise<void> {
  const text = spec.sourceUrl === null ? await specs.textOf(tools.db, spec.id) : undefined
  const reading = await readSource(spec, text, { tools, signal }).catch((error: unknown) => {
    if (signal.reason === late) return tookTooLong(tools.timeoutMs)
    throw error
  })
  await finish(tools, spec, reading)
}

function tookTooLong(limit: number): SourceReading {
  const message = `Fetching and reading the specification took longer than ${limit / 1_000} seconds`
  return { kind: 'failure', code: 'FETCH_TIMEOUT', errors: [{ code: 'TIMEOUT', message }] }
}

async function finish(tools: ProcessorTools, { id, lease }: SpecRow, reading: SourceReading): Promise<void> {
  await tools.transaction(async tx => {
    const spec = await specs.lockById(tx, id)
    if (spec?.lease !== lease) return
    const outcome = await outcomeOf(tx, { spec, reading, tools })
    await writeOutcome(tx, spec, { outcome, pollInterval: tools.pollInterval })
    tools.log.info({ spec: id, outcome: outcome.kind === 'failure' ? outcome.code : outcome.kind }, 'processed')
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function outcomeOf(
  tx: Transaction,
  { spec, reading, tools }: { spec: SpecRow; reading: SourceReading; tools: ProcessorTools },
): Promise<Outcome> {
  if (reading.kind === 'failure') return reading
  if (reading.kind === 'unchanged')
    return { kind: 'unchanged', validators: { etag: spec.etag, lastModified: spec.lastModified } }
  const { raw, json, outline, validators } = reading
  // A change of the source ends the lease, so this is the one that was read.
  const { sourceUrl } = spec
  const hash = hashOf(json)
  const rawText = { rawHash: hashOf(raw), rawFormat: rawFormatOf(raw) }
  const last = spec.lastVersion === null ? undefined : await versions.get(tx, { specId: spec.id, id: spec.lastVersion })
  const isUnchanged = last?.hash === hash && last.outline !== null
  if (isUnchanged && last.rawHash !== null) return { kind: 'unchanged', validators }
  // In the order of the hashes, so that two who lock both wait for each other in one direction only.
  for (const one of [hash, rawText.rawHash].toSorted()) await versions.lockContent(tx, one)
  await tools.contents.put(Buffer.from(raw))
  if (isUnchanged) {
    await versions.setRaw(tx, last.id, rawText)
    return { kind: 'unchanged', validators }
  }
  await tools.contents.put(Buffer.from(json))
  const source = { sourceUrl, url: sourceUrl }
  const version = { id: createId(), specId: spec.id, hash, ...rawText, ...source, outline, createdAt: new Date() }
  await versions.insert(tx, version)
  const { organizationId: organization, slug } = spec
  await tx.publish(openApiSpecEvents.versionAdded, { organization, spec: spec.id, slug, version: version.id })
  return { kind: 'version', version: version.id, validators }
}
