import * as operations from '../operations/git-operations.repository.ts'
import { withPush } from '../operations/git-operations.rules.ts'
import { renewLease } from '../queue/renew-lease.ts'
import type { AttemptTools } from './attempt-tools.ts'
import type { Attempt, Report } from './attempts.ts'

/** Records a report and renews the lease of the attempt; false when the lease is lost. A push is recorded in the same transaction. */
export async function recordReport(
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
