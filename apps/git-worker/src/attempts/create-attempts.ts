import { releaseJob } from '@recto/jobs'
import * as operations from '../operations/git-operations.repository.ts'
import { maxAttempts } from '../operations/git-operations.rules.ts'
import { endOperation, requeue } from '../queue/queue.ts'
import { finishExport, finishImport } from './apply-outcome.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, AttemptFailure, Attempts } from './attempts.ts'
import { prepareExport, readState, storeBundle } from './prepare-export.ts'
import { prepareImport } from './prepare-import.ts'
import { preparePush } from './prepare-push.ts'
import { recordReport } from './record-report.ts'
import { startAttempt } from './start-attempt.ts'

/** Creates the attempts of the operations in the database. */
export function createAttempts(tools: AttemptTools): Attempts {
  const { transaction } = tools
  return {
    start: operationId => startAttempt(operationId, tools),
    prepare: attempt => {
      if (attempt.push) return preparePush(attempt, attempt.push, tools)
      return attempt.direction === 'import' ? prepareImport(attempt, tools) : prepareExport(attempt, tools)
    },
    requeue: operationId =>
      transaction(async tx => {
        const operation = await operations.lock(tx, operationId)
        // A duplicate of a job that another worker runs is dropped.
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
