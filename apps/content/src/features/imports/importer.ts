import type { Db, Transaction } from '@recto/database'
import { Failure, toFailure } from '@recto/operation'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { createSlots } from '@recto/worker-pool'
import { type Addition, addToBranch } from '../../branches/add-content.ts'
import { changeRequestWriter } from '../../branches/change-request-writer.ts'
import { mainContentWriter } from '../../branches/writable-branch.ts'
import { lockContent } from '../../store/content/content-lock.repository.ts'
import { markGarbage } from '../../store/garbage/garbage.repository.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import { convertSource, type SourceTools } from './convert-source.ts'
import * as repository from './imports.repository.ts'
import { decideAttempt, importError, leaseLength, shownUrl } from './imports.rules.ts'

const heartbeat = 2_000
const interval = 5_000

/** What imports need. */
export interface ImporterTools extends SourceTools {
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  timeoutMs: number
  concurrency: number
}

/** Works on accepted imports in this process. Their rows are the queue: what a process leaves behind, another one takes over. */
export interface Importer {
  /** Resolves when this process does not work on the import any more; never rejects. */
  run(id: string): Promise<void>
  /** Takes over imports that nobody works on. */
  work: PeriodicWork
  /** Hands imports that are running back to the queue, and starts no others. */
  stop(): Promise<void>
}

/** Starts nothing by itself. */
export function createImporter(tools: ImporterTools): Importer {
  const slots = createSlots(tools.concurrency)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const run = async (id: string): Promise<void> => {
    const release = await slots.take(stopping.signal)
    try {
      await attempt(tools, id, stopping.signal)
    } finally {
      release()
    }
  }
  const once = (id: string): Promise<void> => {
    const known = running.get(id)
    if (known) return known
    const work = run(id)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) tools.log.warn({ err: error, import: id }, 'an import was interrupted')
      })
      .finally(() => running.delete(id))
    running.set(id, work)
    return work
  }
  return {
    run: once,
    work: {
      name: 'content imports',
      every: interval,
      run: async () => {
        for (const id of await repository.findWaiting(tools.db, leaseLength)) void once(id)
      },
    },
    stop: async () => {
      stopping.abort(new Failure('unavailable', 'The service stops'))
      await Promise.all(running.values())
    },
  }
}

/** One attempt at an import, if no other process makes one. */
async function attempt(tools: ImporterTools, id: string, stopping: AbortSignal): Promise<void> {
  const row = await take(tools, id)
  if (!row) return
  const held = { id, attempt: row.attempts }
  const stop = new AbortController()
  const interrupt = () => stop.abort(stopping.reason)
  stopping.addEventListener('abort', interrupt, { once: true })
  if (stopping.aborted) interrupt()
  const late = new Failure('timeout', 'The import took too long')
  const timeout = setTimeout(() => stop.abort(late), tools.timeoutMs)
  const lease = keepLease(tools, held, stop)
  const stored = new Set<string>()
  try {
    const set = await convertSource(tools, {
      ...{ source: row.source, url: row.url, stop, report: lease.report },
      stored: hash => stored.add(hash),
    })
    await finish(tools, { row, set })
  } catch (error) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
    await fail(tools, { row, reason, isStopping: stopping.aborted, stored: [...stored] })
  } finally {
    clearTimeout(timeout)
    stopping.removeEventListener('abort', interrupt)
    await lease.end()
  }
}

/** Takes the lease of an import; undefined when another process has it, or it has ended. */
function take({ transaction }: ImporterTools, id: string): Promise<ContentImportRow | undefined> {
  return transaction(async tx => {
    // A sweep does not free what the import finds stored, until it ends.
    await lockContent(tx)
    const row = await repository.lock(tx, id)
    const now = new Date()
    const decision = row ? decideAttempt(row, now) : 'leave'
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

/** Keeps the lease of an attempt alive and writes its progress; aborts the attempt when the lease is lost. */
function keepLease({ db, log }: ImporterTools, held: { id: string; attempt: number }, stop: AbortController) {
  let progress = { done: 0, total: 0 }
  let last: Promise<void> = Promise.resolve()
  const beat = async (): Promise<void> => {
    try {
      const isHeld = await repository.updateLeased(db, held, { ...progress, heartbeatAt: new Date() })
      if (!isHeld) stop.abort(new Failure('conflict', 'Another attempt works on this import'))
    } catch (error) {
      log.warn({ err: error, import: held.id }, 'the progress of an import was not written')
    }
  }
  const timer = setInterval(() => (last = last.then(beat)), heartbeat)
  return {
    report: (now: { done: number; total: number }) => void (progress = now),
    end: async () => {
      clearInterval(timer)
      await last
    },
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
