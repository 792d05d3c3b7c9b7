import type { Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'
import * as repository from './change-requests.repository.ts'

/** The path parameters of a change request; `changeRequestId` is its id or its number in the space. */
export interface ChangeRequestParams {
  spaceId: string
  changeRequestId?: string
}

/** A change request in a space that the caller can read. */
export type ReadableChangeRequest = ReadableSpace & { changeRequest: ChangeRequestRow }

/** Reads a change request with its space; throws `not_found` when one is missing, or the caller may not read the space. */
export async function readableChangeRequest(
  context: Context,
  { spaceId, changeRequestId }: ChangeRequestParams,
): Promise<ReadableChangeRequest> {
  return withChangeRequest(context, await readableSpace(context, spaceId), changeRequestId)
}

/** Adds a change request to its space; throws `not_found` when it is missing. Visitors can read only the change request that they preview. */
export async function withChangeRequest<Readable extends ReadableSpace>(
  { db, actor: { visitor } }: Context,
  readable: Readable,
  changeRequestId = '',
): Promise<Readable & { changeRequest: ChangeRequestRow }> {
  const changeRequest = await repository.find(db, readable.space.id, changeRequestId)
  const isHidden = visitor && !visitor.previews && visitor.changeRequest !== changeRequest?.id
  if (!changeRequest || isHidden) throw new Failure('not_found', 'There is no such change request')
  return { ...readable, changeRequest }
}

/**
 * Locks a space, and then the change request if the parameters name one, until the transaction ends; missing ones are skipped. The counts
 * of a space change with its change requests, so all transactions that change both take the locks in this order.
 */
export async function lockWithSpace(tx: Transaction, { spaceId, changeRequestId }: ChangeRequestParams): Promise<void> {
  await spaces.lock(tx, spaceId)
  const changeRequest = changeRequestId === undefined ? undefined : await repository.find(tx, spaceId, changeRequestId)
  if (changeRequest) await repository.lock(tx, changeRequest.id)
}
