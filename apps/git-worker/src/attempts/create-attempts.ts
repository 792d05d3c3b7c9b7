import { postpone } from '@recto/database'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { decideLease, maxAttempts, withPush } from '../operations/git-operations.rules.ts'
import { redeliverAfterSeconds, renewLease } from '../queue/lease.ts'
import { endOperation, requeue } from '../queue/queue.ts'
import { unseal } from '../shared/credentials.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { credentialsOf } from '../syncs/set-sync.ts'
import { finishExport, finishImport } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, AttemptFailure, Attempts, Report } from './attempts.ts'
import { prepareExport, readState, storeBundle } from './prepare-export.ts'
import { prepareImport } from './prepare-import.ts'

const gaveUp = { code: 'gave_up' as const, message: `The worker did not finish in ${maxAttempts} attempts` }

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
    undo: ({ operationId: id, attempt }) =>
      transaction(async tx => {
        const undone = { state: 'queued' as const, heartbeatAt: null, attempts: attempt - 1 }
        await operations.updateLeased(tx, { id, attempt }, undone)
      }),
    report: (attempt, report) => recordReport(attempt, report, tools),
    bundle: (attempt, revision, documents) => storeBundle(attempt, { revision, documents }, tools),
    describeBase: (attempt, revision) => readState(attempt, revision, tools),
    finishImport: (attempt, imported) => finishImport(attempt, imported, tools),
    finishExport: (attempt, exported) => finishExport(attempt, exported, tools),
    fail: (attempt, failure) => fail(attempt, failure, tools),
  }
}

async function start(operationId: string, tools: AttemptTools): Promise<'done' | 'busy' | Attempt> {
  const now = new Date()
  return tools.transaction(async tx => {
    const operation = await operations.lock(tx, operationId)
    const lease = operation ? decideLease(operation, now) : 'done'
    if (!operation || lease === 'done') return 'done'
    const sync = await syncs.findOf(tx, operation)
    if (lease === 'take' && operation.syncId !== null && !sync) {
      await endOperation(tx, operation, { state: 'skipped' })
      return 'done'
    }
    if (lease === 'give-up') await endOperation(tx, operation, { state: 'failure', error: operation.error ?? gaveUp })
    if (lease !== 'take') return lease === 'busy' ? 'busy' : 'done'
    const attempts = operation.attempts + 1
    const leases = operation.leases + 1
    await operations.update(tx, operation.id, {
      ...{ state: 'running', attempts, leases, heartbeatAt: now, startedAt: operation.startedAt ?? now, error: null },
    })
    await postpone(tx, operation.id, redeliverAfterSeconds)
    const credentials = sync ? credentialsOf(sync, tools.encryptionKey) : ownCredentials(operation, tools)
    return { ...attemptOf({ ...operation, attempts, leases }), ...(credentials && { credentials }) }
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
  { operationId, attempt }: Pick<Attempt, 'operationId' | 'attempt'>,
  { error, retry, warnings }: AttemptFailure,
  { transaction }: AttemptTools,
): Promise<{ retry: boolean }> {
  return transaction(async tx => {
    const operation = await operations.lock(tx, operationId)
    if (operation?.state !== 'running' || operation.attempts !== attempt) return { retry: false }
    const isRetried = retry && operation.attempts < maxAttempts
    if (isRetried) await operations.update(tx, operation.id, { state: 'queued', heartbeatAt: null, error, warnings })
    else await endOperation(tx, operation, { state: 'failure', error, warnings })
    return { retry: isRetried }
  })
}
