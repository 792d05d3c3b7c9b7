import type { Db, Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import { Failure } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { AttemptTools } from '../attempts/attempt-tools.ts'
import { readState, storeBundle } from '../attempts/prepare-export.ts'
import { toImportFailure } from '../failures/classify.ts'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { startNextImport } from '../previews/follow-previews.ts'
import type { GitPreviewRow } from '../previews/git-preview.entity.ts'
import * as previews from '../previews/git-previews.repository.ts'
import { recordStatuses } from '../previews/record-statuses.ts'
import { dispatchNext } from '../queue/queue.ts'
import { lockSync } from '../syncs/follow-sync.ts'
import type { GitSyncRow } from '../syncs/git-sync.entity.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { credentialsOf } from '../syncs/set-sync.ts'
import { checkPreview, HeadMoved } from './check-preview.ts'
import type { CheckTools } from './trial-export.ts'

/** Dependencies of checks. */
export interface PreviewCheckTools extends AttemptTools {
  db: Db
  transaction: RunTransaction
  log: Log
  git: Pick<CheckTools, 'outgoing' | 'cache' | 'limits' | 'blobs'>
  /** Limit on the running operations of an organization. */
  gitOrganizationJobs: number
}

const gone = { code: 'gave_up' as const, message: 'The commit could not be checked' }
/** Checks of one process at once: a check reads a whole repository. */
const concurrency = 2

/** Checks pull requests that were imported. The rows are the queue: what a process leaves behind, another one takes over. */
export function previewChecks(tools: PreviewCheckTools): Worker {
  const { db, transaction, log, git } = tools
  return createWorker<GitPreviewRow>({
    name: 'checks of pull requests',
    table: previews.checkJobs,
    wokenBy: ['git_previews'],
    db,
    transaction,
    log,
    concurrency,
    maxPerGroup: 1,
    every: 2_000,
    heartbeat: 5_000,
    timeoutMs: git.limits.jobTimeoutMs,
    late: new Failure('timeout', 'The check took too long'),
    // Every transaction locks the space before its previews.
    beforeTaking: async (tx, id) => {
      const preview = await previews.find(tx, id)
      if (preview) await lockSync(tx, preview.spaceId)
    },
    attempt: (preview, job) => attempt(tools, preview, job),
    giveUp: (tx, preview) => finish(tx, preview, { error: gone }),
  })
}

async function attempt(
  tools: PreviewCheckTools,
  preview: GitPreviewRow,
  job: RunningJob<GitPreviewRow>,
): Promise<void> {
  const sync = await syncs.findById(tools.db, preview.syncId)
  const operation = await operations.find(tools.db, preview.operationId ?? '')
  if (!sync || !operation) throw new Error('The synchronisation of a preview is gone')
  const changes = await check(tools, { preview, sync, operation, signal: job.signal })
  await tools.transaction(async tx => {
    await lockSync(tx, preview.spaceId)
    await job.finish(tx, { isTaken: false })
    await finish(tx, preview, changes)
    await dispatchNext(tx, preview.spaceId, { limit: tools.gitOrganizationJobs, isOldest: false })
  })
}

/** Writes the end of a check with the statuses that follow from it, and enqueues the import that is next, under the lock of the space. */
async function finish(tx: Transaction, { id }: GitPreviewRow, changes: Partial<GitPreviewRow>): Promise<void> {
  const end = { step: 'idle' as const, dueAt: null, isTaken: false, ...changes }
  await previews.update(tx, id, end)
  const preview = await previews.lock(tx, id)
  const sync = preview && (await syncs.findById(tx, preview.syncId))
  if (!sync) return
  await recordStatuses(tx, sync, preview)
  await startNextImport(tx, { sync, space: preview })
}

interface CheckedPreview {
  preview: GitPreviewRow
  sync: GitSyncRow
  operation: GitOperationRow
  signal: AbortSignal
}

async function check(
  tools: PreviewCheckTools,
  { preview, sync, operation, signal }: CheckedPreview,
): Promise<Partial<GitPreviewRow>> {
  const { revision, commit, organizationId, spaceId } = preview
  if (revision === null || commit === null) return { error: gone }
  const held = { operationId: operation.id, lease: operation.leases, spaceId }
  const credentials = credentialsOf(sync, tools.encryptionKey)
  const projectDirectory = sync.projectDirectory || undefined
  const source = { organizationId, spaceId, url: sync.url, ref: operation.ref, credentials, projectDirectory }
  try {
    const state = await readState(held, revision, tools)
    const report = await checkPreview(
      { source, commit, revision, state, base: sync.ref },
      {
        ...tools.git,
        signal,
        bundle: documents => storeBundle(held, { revision, documents }, tools),
        describeBase: base => readState(held, base, tools),
      },
    )
    return { report, error: null }
  } catch (error) {
    if (error instanceof HeadMoved) return { step: 'import' }
    const failure = toImportFailure(error, 'check')
    if (signal.aborted || failure.transient || failure.code === 'internal') throw error
    const { code, message, path } = failure
    return { error: { code, message, ...(path !== undefined && { path }) } }
  }
}
