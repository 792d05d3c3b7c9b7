import { postpone } from '@recto/database'
import { takeJob } from '@recto/jobs'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { giveUp } from '../queue/expire-leases.ts'
import { endOperation } from '../queue/queue.ts'
import { redeliverAfterSeconds } from '../queue/renew-lease.ts'
import { unseal } from '../shared/credentials.ts'
import * as syncs from '../syncs/git-syncs.repository.ts'
import { credentialsOf } from '../syncs/set-sync.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt } from './attempts.ts'

/** Leases an operation for a new attempt; `busy` while another worker has it, `done` when there is nothing to do. */
export async function startAttempt(operationId: string, tools: AttemptTools): Promise<'done' | 'busy' | Attempt> {
  return tools.transaction(async tx => {
    const started = ({ leases, startedAt }: GitOperationRow) => ({
      leases: leases + 1,
      startedAt: startedAt ?? new Date(),
      error: null,
    })
    const job = await takeJob(tx, operations.operationJobs, { key: operationId, started })
    if (!job) return (await operations.isDispatched(tx, operationId)) ? 'busy' : 'done'
    const { row } = job
    if (job.kind === 'exhausted') {
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
  const { force, repoCacheID, repoProjectDirectory: projectDirectory, push } = options
  return {
    operationId: id,
    attempt: attempts,
    lease: leases,
    direction,
    spaceId,
    organizationId,
    url,
    ref,
    force,
    ...(repoCacheID !== undefined && { repoCacheID }),
    ...(projectDirectory !== undefined && { projectDirectory }),
    ...(push && { push }),
  }
}

/** Decrypts the credentials of a requested operation. */
function ownCredentials({ id, credentials }: GitOperationRow, { encryptionKey }: AttemptTools) {
  return credentials ? unseal<NonNullable<Attempt['credentials']>>(credentials, id, encryptionKey) : undefined
}
