import type { Transaction } from '@recto/database'
import {
  lockWithSpace,
  type ReadableChangeRequest,
  readableChangeRequest,
} from '../change-requests/readable-change-request.ts'
import { requireWrite } from '../spaces/spaces.policy.ts'
import type { Context } from '../shared/context.ts'

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
  await lockWithSpace(tx, params)
  const readable = await readableChangeRequest({ ...context, db: tx }, params)
  requireWrite(readable, can)
  return readable
}
