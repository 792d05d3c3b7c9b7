import type { Db } from '@recto/database'
import type { PeriodicWork, RunTransaction } from '@recto/service'
import * as operations from '../operations/git-operations.repository.ts'
import { dispatchNext } from './queue.ts'

const interval = 1_000

/** Dispatches waiting operations within a second: the oldest of each organization, up to its limit. */
export function dispatchWaiting(tools: { db: Db; transaction: RunTransaction; limit: number }): PeriodicWork {
  const untilDue = () => operations.untilSlot(tools.db)
  const rows = { tables: ['git_operations'], untilDue }
  return { name: 'dispatch git operations', every: interval, rows, run: () => dispatchTurns(tools) }
}

async function dispatchTurns({
  db,
  transaction,
  limit,
}: {
  db: Db
  transaction: RunTransaction
  limit: number
}): Promise<void> {
  for (const spaceId of await operations.findWaitingSpaces(db, limit))
    await transaction(tx => dispatchNext(tx, spaceId, { limit, isOldest: true }))
}
