import { postpone } from '@recto/database'
import { releaseJob, takeJob } from '@recto/jobs'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { maxAttempts, withPush } from '../operations/git-operations.rules.ts'
import { giveUp } from '../queue/expire-leases.ts'
import { redeliverAfterSeconds, renewLease } from '../queue/renew-lease.ts'
import { endOperation, requeue } from '../queue/queue.ts'
import { unseal } from '../shared/credentials.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { credentialsOf } from '../syncs/set-sync.ts'
import { finishExport, finishImport } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, AttemptFailure, Attempts, Report } from './attempts.ts'
import { prepareExport, readState, storeBundle } from './prepare-export.ts'
import { prepareImport } from './prepare-import.ts'

/** Creates the attempts of the operations in the database, whose content is that of content. */
export function createAttempts(tools: AttemptTools): Attempts {
  const { transaction } = tools
  return {
    start: operationId => start(operationId, tools),
    prepare: attempt =>
      attempt.direction === 'import' ? prepareImport(attempt, tools) : prepareExport(attempt, tools),
    giveBack: operationId =>
      transaction(async tx => {
        const operation = await operations.lock(tx, operationId)
        // A copy of a job that another worker runs is not wanted again.
        if (operation?.state === 'queued' && operation.dispatched) await requeue(tx, operation)
      }),
    undo: async ({ operationId: id, attempt: attempts }) => {
      await releaseJob(tools.db, operations.operationJobs, { row: { id, attempts }, isCounted: false })
    },
    report: (attempt, report) => recordReport(attempt, report, tools),
    bundle: (attempt, revision, documents) => storeBundle(attempt, { revision, documents }, tools),
    describeBase: (attempt, revision) => readState(attempt, revision, tools),
    finishImport: (attempt, imported) => finishImport(attempt, imported, tools),
    finishExport: (attempt, exported) => finishExport(attempt, exported, tools),
    fail: (attempt, failure) => fail(attempt, failure, tools),
  }
}

async function start(operationId: string, tools: AttemptTools): Promise<'done' | 'busy' | Attempt> {
  return tools.transaction(async tx => {
    const started = ({ leases, startedAt }: GitOperationRow) => ({
      leases: leases + 1,
      startedAt: startedAt ?? new Date(),
      error: null,
    })
    const taken = await takeJob(tx, operations.operationJobs, { key: operationId, started })
    if (!taken) return (await operations.isDispatched(tx, operationId)) ? 'busy' : 'done'
    const { row } = taken
    if (taken.kind === 'exhausted') {
      await giveUp(tx, row)
      return 'done'
    }
    const sync = await syncs.findOf(tx, row)
    if (row.syncId !== null && !sync) {
      await endOperation(tx, row, { state: 'skipped' })
      return 'done'
    }
    await postpone(tx, operationId, redeliverAfterSeconds)
    const credentials = sync ? credentialsOf(sync, tools.encryptionKey) : ownCredentials(row, tools)
    return { ...attemptOf(row), ...(credentials && { credentials }) }
  })
}

function attemptOf({ id, attempts, leases, options, ...operation }: GitOperationRow): Attempt {
  const { direction, spaceId, organizationId, url, ref } = operation
  const { force, repoCacheID, repoProjectDirectory: projectDirectory } = options
  return {
    ...{ operationId: id, attempt: attempts, lease: leases, direction, spaceId, organizationId, url, ref, force },
    ...(repoCacheID !== undefined && { repoCacheID }),
    ...(projectDirectory !== undefined && { projectDirectory }),
  }
}

/** The credentials of an operation that somebody requested. */
function ownCredentials({ id, credentials }: GitOperationRow, { encryptionKey }: AttemptTools) {
  return credentials ? unseal<NonNullable<Attempt['credentials']>>(credentials, id, encryptionKey) : undefined
}

async function recordReport(
  { operationId: id, attempt }: Attempt,
  { pushing, ...report }: Report,
  { db, transaction }: AttemptTools,
): Promise<boolean> {
  if (!pushing) return renewLease(db, { id, attempt }, report)
  return transaction(async tx => {
    const operation = await operations.lock(tx, id)
    const options = operation && withPush(operation.options, { ...pushing, at: new Date().toISOString() })
    return renewLease(tx, { id, attempt }, { ...report, ...(options && { options }) })
  })
}

async function fail(
  { operationId, attempt: attempts }: Pick<Attempt, 'operationId' | 'attempt'>,
  { error, retry, warnings }: AttemptFailure,
  { transaction }: AttemptTools,
): Promise<{ retry: boolean }> {
  return transaction(async tx => {
    const operation = await operations.lock(tx, operationId)
    if (operation?.state !== 'running' || operation.attempts !== attempts) return { retry: false }
    if (!retry || attempts >= maxAttempts) {
      await endOperation(tx, operation, { state: 'failure', error, warnings })
      return { retry: false }
    }
    await operations.update(tx, operationId, { error, warnings })
    await releaseJob(tx, operations.operationJobs, { row: operation, isCounted: true })
    return { retry: true }
  })
}
