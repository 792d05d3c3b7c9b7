import { postpone, type Db } from '@recto/database'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { leaseLength } from './git-operations.rules.ts'

/** Seconds after a report during which the job is not redelivered. */
export const redeliverAfterSeconds = (leaseLength * 2) / 1000

/** An attempt of an operation. */
interface Attempt {
  id: string
  attempt: number
}

/** Renews the lease of an attempt, and writes what it reports; false when another attempt has the lease. */
export async function renewLease(
  db: Db,
  held: Attempt,
  report: Partial<Pick<GitOperationRow, 'stage' | 'progress' | 'options'>> = {},
): Promise<boolean> {
  const isHeld = await operations.updateLeased(db, held, { ...report, heartbeatAt: new Date() })
  if (isHeld) await postpone(db, held.id, redeliverAfterSeconds)
  return isHeld
}

/**
 * Keeps the lease of an attempt during work that this process does for it. The worker has stopped to report by then, so that the lease of
 * an operation that was handed over to a process which ends goes to the next attempt.
 */
export async function withLease<T>(db: Db, held: Attempt, work: () => Promise<T>): Promise<T> {
  let renewing: Promise<unknown> | undefined
  const renew = () => {
    // A lease outlasts renewals that fail.
    renewing ??= renewLease(db, held)
      .catch(() => undefined)
      .finally(() => (renewing = undefined))
  }
  const timer = setInterval(renew, leaseLength / 4)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
