import type { Transaction } from '@recto/database'
import * as changeRequests from '../../branches/change-requests/change-requests.repository.ts'
import {
  type ReadableChangeRequest,
  readableChangeRequest,
} from '../../branches/change-requests/readable-change-request.ts'
import { requireWrite } from '../../hierarchy/spaces/spaces.policy.ts'
import * as spaces from '../../hierarchy/spaces/spaces.repository.ts'
import type { Context } from '../../shared/context.ts'

/** The path parameters of a change request. */
export interface Params {
  spaceId: string
  changeRequestId: string
}

/** Locks a space and its change request until the transaction ends; throws `not_found`, `forbidden`, or `conflict` when the space is deleted. */
export async function lockForWriting(
  tx: Transaction,
  { params, can }: { params: Params; can: Parameters<typeof requireWrite>[1] },
  context: Context,
): Promise<ReadableChangeRequest> {
  await spaces.lock(tx, params.spaceId)
  const found = await changeRequests.find(tx, params.spaceId, params.changeRequestId)
  if (found) await changeRequests.lock(tx, found.id)
  const readable = await readableChangeRequest({ ...context, db: tx }, params)
  requireWrite(readable, can)
  return readable
}
