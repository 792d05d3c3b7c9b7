import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as operations from './git-operations.repository.ts'
import { leaseLength, maxAttempts } from './git-operations.rules.ts'
import { endOperation } from './queue.ts'

const interval = 5_000
/** Days for which a failed operation keeps its credentials. */
const credentialDays = 7

/** Periodically fails operations whose worker stopped reporting at the last attempt, and deletes credentials of operations that failed long ago. */
export function leaseExpiry(tools: { db: Db; transaction: RunTransaction }): PeriodicWork {
  return { name: 'expire git leases', every: interval, run: () => expireLeases(tools) }
}

async function expireLeases({ db, transaction }: { db: Db; transaction: RunTransaction }): Promise<void> {
  const expired = { attempts: maxAttempts, seconds: (leaseLength * 2) / 1000 }
  for (const operation of await operations.findExpiredLeases(db, expired)) {
    await transaction(async tx => {
      const locked = await operations.lock(tx, operation.id)
      if (locked?.state !== 'running') return
      await endOperation(tx, locked, {
        state: 'failure',
        error: locked.error ?? { code: 'gave_up', message: 'The worker stopped answering' },
      })
    })
  }
  await operations.deleteExpiredCredentials(db, credentialDays)
}
