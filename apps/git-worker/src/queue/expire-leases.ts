import type { Db, Transaction } from '@recto/database'
import { takeJob } from '@recto/jobs'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { maxAttempts } from '../operations/git-operations.rules.ts'
import { endOperation } from './queue.ts'

const interval = 5_000
const hour = 3_600_000
const gaveUpMessage = `No worker completed it in ${maxAttempts} attempts`
/** Days for which a failed operation keeps its credentials. */
const credentialDays = 7

/** Fails operations whose worker stopped reporting at the last attempt, within five seconds. */
export function leaseExpiry(tools: { db: Db; transaction: RunTransaction }): PeriodicWork {
  const rows = { tables: ['git_operations'], untilDue: () => operations.untilExhausted(tools.db) }
  return { name: 'expire git leases', every: interval, rows, run: () => expireLeases(tools) }
}

/** Deletes the credentials of operations that failed long ago, every hour. */
export function credentialExpiry({ db }: { db: Db }): PeriodicWork {
  return {
    name: 'delete git credentials',
    every: hour,
    run: () => operations.deleteExpiredCredentials(db, credentialDays),
  }
}

async function expireLeases({ db, transaction }: { db: Db; transaction: RunTransaction }): Promise<void> {
  for (const key of await operations.findExhausted(db)) {
    await transaction(async tx => {
      const job = await takeJob(tx, operations.exhaustedJobs, { key })
      if (job) await giveUp(tx, job.row)
    })
  }
}

/** Fails an operation that has no attempt left, with its last error. */
export async function giveUp(tx: Transaction, operation: GitOperationRow): Promise<void> {
  const { error } = operation
  await endOperation(tx, operation, { state: 'failure', error: error ?? { code: 'gave_up', message: gaveUpMessage } })
}
