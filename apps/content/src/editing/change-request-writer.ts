import type { Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { recordContentChanged } from '../change-requests/change-request-records.ts'
import type { ChangeRequestRow } from '../change-requests/change-request.entity.ts'
import { requireActive } from '../change-requests/change-requests.rules.ts'
import * as repository from '../change-requests/change-requests.repository.ts'
import { countContribution } from '../change-requests/contributors.repository.ts'
import { type ReadableChangeRequest, readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { type ContentWriter, requirePresent, type WritableContent } from './content-writer.ts'

/** Writes to the content of a change request, also while the space is locked. */
export const changeRequestWriter: ContentWriter<{ spaceId: string; changeRequestId: string }> = {
  async requireWritable(params, context) {
    const { space, changeRequest } = await writableChangeRequest(params, context)
    const { organizationId } = space
    return { organizationId, revision: changeRequest.revision, base: baseOf(changeRequest) }
  },

  async lock(tx, params, context) {
    const { space, changeRequest } = await lockChangeRequest(tx, params, context)
    return changeRequestBranch(tx, { space, changeRequest, userId: context.actor.userId })
  },

  async lockFor(tx, { spaceId, changeRequestId }, userId) {
    const row = await repository.find(tx, spaceId, changeRequestId)
    const changeRequest = row && (await repository.lock(tx, row.id))
    if (!changeRequest) throw new Failure('not_found', 'There is no such change request')
    requireActive(changeRequest)
    const space = await spaces.find(tx, spaceId)
    requirePresent(space)
    return changeRequestBranch(tx, { space, changeRequest, userId })
  },
}

async function changeRequestBranch(
  tx: Transaction,
  { space, changeRequest, userId }: { space: SpaceRow; changeRequest: ChangeRequestRow; userId: string },
): Promise<WritableContent> {
  const revision = await revisions.get(tx, changeRequest.revision)
  return {
    spaceId: space.id,
    organizationId: space.organizationId,
    revision,
    base: baseOf(changeRequest),
    async advance(to) {
      if (to === revision.id) return
      const { id: changeRequestId } = changeRequest
      await repository.update(tx, changeRequestId, { revision: to })
      await countContribution(tx, { changeRequestId, userId, actionType: 'edit' })
      recordContentChanged(tx, { space, changeRequest, from: revision.id, to })
    },
  }
}

/** The revision of main content that a change request was last updated from, or started from. */
function baseOf({ revisionMergedAncestor, revisionInitial }: ChangeRequestRow): string {
  return revisionMergedAncestor ?? revisionInitial
}

/** Reads a change request that the caller may change now; throws `not_found`, `forbidden`, or `conflict` when it is merged or archived. */
export async function writableChangeRequest(
  params: { spaceId: string; changeRequestId: string },
  context: Context,
): Promise<ReadableChangeRequest> {
  const readable = await readableChangeRequest(context, params)
  requireWrite(readable, spaceCan.edit)
  requireActive(readable.changeRequest)
  return readable
}

/** Locks a change request until the transaction ends; throws as `writableChangeRequest`, since it may have changed meanwhile. */
export async function lockChangeRequest(
  tx: Transaction,
  params: { spaceId: string; changeRequestId: string },
  context: Context,
): Promise<ReadableChangeRequest> {
  const row = await repository.find(tx, params.spaceId, params.changeRequestId)
  if (row) await repository.lock(tx, row.id)
  return writableChangeRequest(params, { ...context, db: tx })
}
