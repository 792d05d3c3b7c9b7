import { postpone, type Db } from '@recto/database'
import type { GitOperationRow } from '../operations/git-operation.entity.ts'
import * as operations from '../operations/git-operations.repository.ts'
import { leaseLength } from '../operations/git-operations.rules.ts'

/** Seconds after a report during which the job is not redelivered. */
export const redeliverAfterSeconds = (leaseLength * 2) / 1000

/** An attempt of an operation. */
interface Attempt {
  id: string
  attempt: number
}

/** Renews the lease of an attempt and records its report; false when another attempt has the lease. */
export async function renewLease(
  db: Db,
  attempt: Attempt,
  report: Partial<Pick<GitOperationRow, 'stage' | 'progress' | 'options'>> = {},
): Promise<boolean> {
  const isHeld = await operations.updateLeased(db, attempt, { ...report, heartbeatAt: new Date() })
  if (isHeld) await postpone(db, attempt.id, redeliverAfterSeconds)
  return isHeld
}
