import type { Db, Transaction } from '@recto/database'
import { Failure, toFailure } from '@recto/operation'
import { withLease, type RowLease, type RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { type Addition, addToBranch } from '../editing/add-content.ts'
import { changeRequestWriter } from '../editing/change-request-writer.ts'
import { mainContentWriter } from '../editing/content-writer.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import { createRowQueue, decideAttempt, type RowQueue } from '../queues/row-queue.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import { convertSource, type SourceTools } from './convert-source.ts'
import * as repository from './imports.repository.ts'
import { importError, leaseLength, maxAttempts, shownUrl } from './imports.rules.ts'

const heartbeat = 2_000
const interval = 5_000

/** The tools of imports. */
export interface ImporterTools extends SourceTools {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  timeoutMs: number
  concurrency: number
}

/** Works on accepted imports in this process. */
export type Importer = RowQueue

/** Starts nothing by itself. */
export function createImporter(tools: ImporterTools): Importer {
  return createRowQueue({
    name: 'content imports',
    every: interval,
    concurrency: tools.concurrency,
    log: tools.log,
    rows: { tables: ['content_imports'], untilDue: () => repository.untilWaiting(tools.db, leaseLength) },
    findWaiting: () => repository.findWaiting(tools.db, leaseLength),
    attempt: (id, stopping) => attempt(tools, id, stopping),
  })
}

/** One attempt at an import, if no other process makes one. */
async function attempt(tools: ImporterTools, id: string, stopping: AbortSignal): Promise<void> {
  const row = await take(tools, id)
  if (!row) return
  const stored = new Set<string>()
  let progress = { done: 0, total: 0 }
  const report = (now: { done: number; total: number }) => void (progress = now)
  await withLease(leaseOf(tools, { row, stopping, progress: () => progress }), async stop => {
    try {
      const set = await convertSource(tools, {
        ...{ source: row.source, url: row.url, stop, report },
        stored: hash => stored.add(hash),
      })
      await finish(tools, { row, set })
    } catch (error) {
      const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
      await fail(tools, { row, reason, isStopping: stopping.aborted, stored: [...stored] })
    }
  })
}

/** Takes the lease of an import; undefined when another process has it, or it has ended. */
function take({ transaction }: ImporterTools, id: string): Promise<ContentImportRow | undefined> {
  return transaction(async tx => {
    // A sweep does not free what the import finds stored, until it ends.
    await lockContent(tx)
    const row = await repository.lock(tx, id)
    const now = new Date()
    const decision = row ? decideAttempt(row, { now, leaseLength, most: maxAttempts }) : 'leave'
    if (!row || decision === 'leave') return undefined
    if (decision === 'give-up') {
      const error = { code: 'internal' as const, message: 'The import was interrupted several times' }
      await repository.update(tx, id, { state: 'failure', error, completedAt: now, url: shownUrl(row.url) })
      return undefined
    }
    const started = { state: 'running' as const, attempts: row.attempts + 1, heartbeatAt: now, done: 0, total: 0 }
    await repository.update(tx, id, { ...started, startedAt: row.startedAt ?? now })
    return { ...row, ...started }
  })
}

/** The lease of an attempt, whose signs of life write its progress. */
function leaseOf(
  { db, log, timeoutMs }: ImporterTools,
  {
    row,
    stopping,
    progress,
  }: { row: ContentImportRow; stopping: AbortSignal; progress: () => Partial<ContentImportRow> },
): RowLease {
  const held = { id: row.id, attempt: row.attempts }
  return {
    ...{ stopping, timeoutMs, every: heartbeat },
    late: new Failure('timeout', 'The import took too long'),
    lost: new Failure('conflict', 'Another attempt works on this import'),
    beat: () => repository.updateLeased(db, held, { ...progress(), heartbeatAt: new Date() }),
    onError: error => log.warn({ err: error, import: row.id }, 'the progress of an import was not written'),
  }
}

type Result = Awaited<ReturnType<typeof convertSource>>

async function finish(
  { transaction }: ImporterTools,
  { row, set }: { row: ContentImportRow; set: Result },
): Promise<void> {
  await transaction(async tx => {
    await lockContent(tx)
    const revision = await add(tx, row, set)
    const isHeld = await repository.updateLeased(
      tx,
      { id: row.id, attempt: row.attempts },
      {
        ...{ state: 'success', revision, completedAt: new Date(), url: shownUrl(row.url) },
        ...{ done: set.imported, total: set.total, warnings: set.warnings, error: null },
      },
    )
    if (!isHeld) throw new Failure('conflict', 'Another attempt works on this import')
  })
}

function add(tx: Transaction, row: ContentImportRow, set: Addition['set']): Promise<string> {
  const { spaceId, changeRequestId, page, createdBy } = row
  const addition = { page, set, createdBy }
  return changeRequestId === null
    ? addToBranch(tx, { writer: mainContentWriter, params: { spaceId } }, addition)
    : addToBranch(tx, { writer: changeRequestWriter, params: { spaceId, changeRequestId } }, addition)
}

/** Ends an import that failed, or hands it back to the queue when another attempt may succeed. */
async function fail(
  { transaction, log }: ImporterTools,
  failed: { row: ContentImportRow; reason: unknown; isStopping: boolean; stored: string[] },
): Promise<void> {
  const { row, reason, isStopping, stored } = failed
  const error = isStopping ? undefined : importError(reason)
  const changes: Partial<ContentImportRow> = error
    ? { state: 'failure', error, completedAt: new Date(), url: shownUrl(row.url) }
    : { state: 'queued', heartbeatAt: null, ...(isStopping && { attempts: row.attempts - 1 }) }
  if (!error && !isStopping) log.error({ err: toFailure(reason), import: row.id }, 'an import failed and is repeated')
  await transaction(async tx => {
    await markGarbage(
      tx,
      stored.map(hash => ({ kind: 'blob' as const, hash })),
      new Date(),
    )
    await repository.updateLeased(tx, { id: row.id, attempt: row.attempts }, changes)
  })
}
