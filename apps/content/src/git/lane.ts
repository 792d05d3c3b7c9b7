import { gitJobs } from '@recto/contracts'
import { markTold, tell, type Db } from '@recto/database'
import * as spaces from '../spaces/spaces.repository.ts'
import type { GitOperationRow } from './git-operation.entity.ts'
import * as operations from './git-operations.repository.ts'
import { turnOf } from './git-operations.rules.ts'

type End = Pick<GitOperationRow, 'state'> & Partial<GitOperationRow>

/** Hands out the next operation of a space when none is under way: operations on a space run one after another. */
export async function dispatchNext(db: Db, spaceId: string): Promise<void> {
  await spaces.lock(db, spaceId)
  if (await operations.isLaneBusy(db, spaceId)) return
  const last = await operations.lastFinished(db, spaceId)
  for (let next = await operations.nextInLane(db, spaceId); next; next = await operations.nextInLane(db, spaceId)) {
    if (turnOf(next, last) === 'run') return dispatch(db, next)
    await operations.change(db, next.id, { state: 'skipped', completedAt: new Date(), credentials: null })
  }
}

/** Ends an operation in the caller's transaction: its job is done, and the next one has its turn. A failed one keeps its secret for a retry. */
export async function end(db: Db, operation: GitOperationRow, result: End): Promise<void> {
  await operations.change(db, operation.id, {
    completedAt: new Date(),
    ...(result.state !== 'failure' && { credentials: null }),
    ...result,
  })
  await markTold(db, operation.id)
  await dispatchNext(db, operation.spaceId)
}

async function dispatch(db: Db, operation: GitOperationRow): Promise<void> {
  const { subject, consumer } = gitJobs.importRepository
  await operations.change(db, operation.id, { dispatched: true })
  await tell(db, { id: operation.id, subject, payload: { operationId: operation.id }, consumers: [consumer] })
}
