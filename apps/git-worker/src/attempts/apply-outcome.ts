import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import type { Input, Output } from '@recto/operation'
import type { Db } from '@recto/database'
import type { ExportResult } from '../exports/export-repository.ts'
import type { ImportResult } from '../imports/store-manifest.ts'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { commitUrlOf, gitSyncOf, requireLease } from '../operations/git-operations.rules.ts'
import { ImportFailure } from '@recto/repository-content'
import { endOperation } from '../queue/queue.ts'
import { requiredMain } from '../syncs/git-sync.rules.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt } from './attempts.ts'
import { heldAttempt } from './held-attempt.ts'

type Request = Input<typeof gitContentCalls.applyGitOperation>['body']
type ApplyReply = Output<typeof gitContentCalls.applyGitOperation>

/** Has content apply an import. Content skips it when main content has changes that must be exported first. */
export async function finishImport(
  attempt: Attempt,
  { commit, manifest }: ImportResult,
  tools: AttemptTools,
): Promise<{ revision: string }> {
  const row = await operations.find(tools.db, attempt.operationId)
  if (row && hasEnded(row)) return { revision: row.revision }
  const operation = requireLease(row, attempt.attempt)
  const work = pushOf(operation) ?? (await importOf(tools.db, operation))
  return apply(attempt, { operation, work, manifest, commit: { ...commit, createdByService: false } }, tools)
}

async function importOf(db: Db, operation: GitOperationRow): Promise<Request['work']> {
  const sync = await syncs.findOf(db, operation)
  const onlyFrom = operation.options.standalone ? undefined : sync && requiredMain(sync)
  return { kind: 'import', isStandalone: operation.options.standalone, ...(onlyFrom && { onlyFrom }) }
}

function pushOf({ options: { push, force, changeRequest } }: GitOperationRow): Request['work'] | undefined {
  if (!push) return undefined
  const { upload, base, subject } = push
  return {
    kind: 'push',
    upload,
    force,
    ...(base !== undefined && { base }),
    ...(changeRequest !== undefined ? { changeRequest } : subject !== undefined && { subject }),
  }
}

/** Has content record the commit of an export. */
export async function finishExport(
  attempt: Attempt,
  { revision, commit, isPartial, manifest, warnings, base }: ExportResult & { revision: string },
  tools: AttemptTools,
): Promise<{ revision: string }> {
  const row = await operations.find(tools.db, attempt.operationId)
  if (row && hasEnded(row)) return { revision: row.revision }
  const operation = requireLease(row, attempt.attempt)
  // Changes of the branch that an export did not write over are still there for the next export.
  const isStillPartial = isPartial || (await isBasePartial(tools.db, { operation, base }))
  const isStandalone = operation.options.standalone
  const work = { kind: 'export' as const, revision, isStandalone, isPartial: isStillPartial, warnings }
  return apply(attempt, { operation, work, manifest, commit: { ...commit, ref: operation.ref } }, tools)
}

/** Whether an operation has ended with a revision; an import that gave way to changes of main content is skipped. */
function hasEnded(operation: GitOperationRow): operation is GitOperationRow & { revision: string } {
  return ['success', 'skipped'].includes(operation.state) && operation.revision !== null
}

/** Whether the commit that an export was based on has changes of the branch that the content lacks. */
async function isBasePartial(
  db: Db,
  { operation, base }: { operation: GitOperationRow; base: ExportResult['base'] },
): Promise<boolean> {
  return base?.isPartial ?? (await operations.lastSynchronised(db, operation))?.isPartial ?? false
}

async function apply(
  attempt: Attempt,
  { operation, commit, ...rest }: { operation: GitOperationRow } & Pick<Request, 'work' | 'commit' | 'manifest'>,
  tools: AttemptTools,
): Promise<{ revision: string }> {
  const url = commitUrlOf(operation.options, commit.oid)
  const reply = await tools.content.applyGitOperation({
    body: {
      ...heldAttempt(attempt, tools),
      ...rest,
      commit: { ...commit, ...(url !== undefined && { url }) },
      createdBy: operation.createdBy,
      discarded: (operation.options.pushed ?? []).map(({ manifest }) => manifest),
      ...(!operation.options.push && { repository: gitSyncOf(operation, new Date()) }),
    },
  })
  const { error } = reply.outcome
  if (error) throw new ImportFailure(error.code, error.message)
  await recordOutcome(attempt, reply, tools)
  return { revision: reply.outcome.revision }
}

/**
 * Ends an operation with the outcome that content recorded, whichever attempt was applied. An operation that failed meanwhile, for example
 * because an operator ended it, stays failed.
 */
export async function recordOutcome(
  { operationId }: Pick<Attempt, 'operationId'>,
  { outcome, space }: ApplyReply,
  { transaction }: Pick<AttemptTools, 'transaction'>,
): Promise<void> {
  const { state, revision, commit, main, isPartial, warnings, changeRequest } = outcome
  await transaction(async tx => {
    const operation = await operations.lock(tx, operationId)
    if (operation?.state !== 'running' && operation?.state !== 'queued') return
    await endOperation(tx, operation, {
      state,
      revision,
      stage: 'finalize',
      progress: null,
      space,
      ...(state === 'success' && { warnings, error: null, isPartial }),
      ...(commit !== undefined && { commit }),
      ...(changeRequest !== undefined && { options: { ...operation.options, changeRequest } }),
      ...(main !== undefined && { synchronised: { main, isPartial } }),
    })
  })
}
