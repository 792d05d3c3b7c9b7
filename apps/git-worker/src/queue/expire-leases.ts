import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as operations from '../operations/git-operations.repository.ts'
import { leaseLength, maxAttempts } from '../operations/git-operations.rules.ts'
import { endOperation } from './queue.ts'

const interval = 5_000
const hour = 3_600_000
/** When the lease of a last attempt has expired: no other attempt takes it over before. */
const lastAttempt = { attempts: maxAttempts, seconds: (leaseLength * 2) / 1000 }
/** Days for which a failed operation keeps its credentials. */
const credentialDays = 7

/** Fails operations whose worker stopped reporting at the last attempt, within five seconds. */
export function leaseExpiry(tools: { db: Db; transaction: RunTransaction }): PeriodicWork {
  const rows = { tables: ['git_operations'], untilDue: () => operations.untilLeaseExpires(tools.db, lastAttempt) }
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
  for (const operation of await operations.findExpiredLeases(db, lastAttempt)) {
    await transaction(async tx => {
      const locked = await operations.lock(tx, operation.id)
      if (locked?.state !== 'running') return
      await endOperation(tx, locked, {
        state: 'failure',
        error: locked.error ?? { code: 'gave_up', message: 'The worker stopped answering' },
      })
    })
  }
}
