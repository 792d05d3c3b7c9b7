import type { Db, Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import { actorOf, Failure, runWithOrigin } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { type Addition, addContent } from '../editing/add-content.ts'
import type { MarkdownPool } from '../documents/parse-once.ts'
import { changeRequestWriter } from '../editing/change-request-writer.ts'
import { mainContentWriter } from '../editing/content-writer.ts'
import { requireNamedInPages } from '../editing/named-specifications.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import { convertSource, type SourceTools } from './convert-source.ts'
import { recordImportEnd } from './import-records.ts'
import * as repository from './imports.repository.ts'
import { importError, redactUrl } from './imports.rules.ts'

/** Dependencies of the importer. */
export interface ImporterTools extends SourceTools {
  markdown: MarkdownPool
  db: Db
  transaction: RunTransaction
  log: Pick<Log, 'warn' | 'error'>
  timeoutMs: number
  concurrency: number
}

/** The worker of imports in this process. */
export type Importer = Worker

/** Creates the worker of imports; the scheduler starts it. */
export function createImporter(tools: ImporterTools): Importer {
  const { db, transaction, log, timeoutMs, concurrency } = tools
  return createWorker<ContentImportRow>({
    name: 'content imports',
    table: repository.importJobs,
    wokenBy: ['content_imports'],
    db,
    transaction,
    log,
    concurrency,
    timeoutMs,
    every: 5_000,
    heartbeat: 2_000,
    late: new Failure('timeout', 'The import took too long'),
    // Until the import ends, a sweep does not free the files that it finds stored already.
    beforeTaking: tx => lockContent(tx),
    started: ({ startedAt }) => ({ done: 0, total: 0, startedAt: startedAt ?? new Date() }),
    attempt: (row, job) => runWithOrigin({ actor: actorOf({ userId: row.createdBy }) }, () => attempt(tools, row, job)),
    fail: async (row, { reason, job }) => {
      const error = importError(reason)
      if (!error) return false
      await transaction(async tx => {
        await job.finish(tx, failureFields(row, error))
        await recordFailure(tx, row)
      })
      return true
    },
    async giveUp(tx, row) {
      const error = { code: 'internal' as const, message: 'The import was interrupted several times' }
      await repository.update(tx, row.id, failureFields(row, error))
      await recordFailure(tx, row)
    },
  })
}

function failureFields({ url }: ContentImportRow, error: ContentImportRow['error']): Partial<ContentImportRow> {
  return { state: 'failure', error, completedAt: new Date(), url: url && redactUrl(url) }
}

async function recordFailure(tx: Transaction, row: ContentImportRow): Promise<void> {
  const space = await spaces.find(tx, row.spaceId)
  if (space) recordImportEnd(tx, { ...row, organizationId: space.organizationId }, 'failure')
}

/** Makes one attempt at an import. Files that a failed attempt has stored are marked as garbage. */
async function attempt(tools: ImporterTools, row: ContentImportRow, job: RunningJob<ContentImportRow>): Promise<void> {
  const { source, url, files } = row
  const storedHashes = new Set<string>()
  const { signal, abort } = job
  const report = ({ done, total }: { done: number; total: number }) => void Object.assign(job.progress, { done, total })
  try {
    const set = await convertSource(tools, {
      source,
      url,
      files,
      signal,
      abort,
      report,
      onStored: hash => storedHashes.add(hash),
    })
    if (!row.readsSpecifications) await requireNamedInPages(set.pages, row, tools)
    await finish(tools, { row, job, set })
  } catch (error) {
    const refs = [...storedHashes].map(hash => ({ kind: 'blob' as const, hash }))
    await tools.transaction(tx => markGarbage(tx, refs, new Date()))
    throw error
  }
}

type Result = Awaited<ReturnType<typeof convertSource>>

async function finish(
  { transaction }: ImporterTools,
  { row, job, set }: { row: ContentImportRow; job: RunningJob<ContentImportRow>; set: Result },
): Promise<void> {
  await transaction(async tx => {
    await lockContent(tx)
    const { revision, pages, organizationId } = await addToTarget(tx, row, set)
    await job.finish(tx, {
      state: 'success',
      revision,
      completedAt: new Date(),
      url: row.url && redactUrl(row.url),
      pages: pages.map(({ id, document }) => ({ id, type: document === undefined ? 'folder' : 'page' })),
      done: set.imported,
      total: set.total,
      warnings: set.warnings,
      error: null,
    })
    recordImportEnd(tx, { ...row, organizationId }, 'success')
  })
}

function addToTarget(tx: Transaction, row: ContentImportRow, set: Addition['set']) {
  const { spaceId, changeRequestId, page, createdBy } = row
  const addition = { page, set, createdBy }
  return changeRequestId === null
    ? addContent(tx, { writer: mainContentWriter, params: { spaceId } }, addition)
    : addContent(tx, { writer: changeRequestWriter, params: { spaceId, changeRequestId } }, addition)
}
