import type { changeRequests } from '@recto/contracts-content'
import { completeDocument } from '@recto/markdown'
import { createId, Failure, fieldFault, type Input } from '@recto/operation'
import { recordStatusChanged, recordUpdated } from './change-request-records.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'
import * as repository from './change-requests.repository.ts'
import { countsAfter } from './change-requests.rules.ts'
import { lockWithSpace, type ReadableChangeRequest, readableChangeRequest } from './readable-change-request.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { changedFields } from '../events/changed-fields.rules.ts'
import type { Context } from '../shared/context.ts'

/** The links of a request as rows have them. Throws `invalid_request` for an id that the change request does not have, or that is there twice. */
function writtenLinks(links: NonNullable<Update['links']>, { links: before }: Pick<ChangeRequestRow, 'links'>) {
  const idsLeft = new Set(before.map(({ id }) => id))
  return links.map(({ id, ref: { url }, title }, at) => {
    // An id is used up, so that no two links have it.
    if (id !== undefined && !idsLeft.delete(id))
      throw fieldFault(`body.links.${at}.id`, 'is no link of the change request, or is there twice')
    return { id: id ?? createId(), url, ...(title !== undefined && title !== '' && { title }) }
  })
}

type Update = Input<typeof changeRequests.updateChangeRequestById>['body']

/** Updates subject, description and status of a change request; throws `conflict` when it is merged. An update without effect records nothing. */
export async function updateChangeRequest(
  context: Context,
  params: { spaceId: string; changeRequestId: string },
  { description, links, ...update }: Update,
): Promise<ReadableChangeRequest> {
  requireUpdatable(await readableChangeRequest(context, params))
  return context.transaction(async tx => {
    const transactionContext = { ...context, db: tx }
    await lockWithSpace(tx, params)
    const { space, changeRequest: row } = requireUpdatable(await readableChangeRequest(transactionContext, params))
    const changes = changedFields<typeof row, 'subject' | 'description' | 'links' | 'status'>(row, {
      ...update,
      links: links && writtenLinks(links, row),
      description: description && completeDocument(description),
    })
    const { status, ...fields } = changes
    if (Object.keys(changes).length > 0) await repository.update(tx, row.id, changes)
    const change = { space, changeRequest: row }
    if (Object.keys(fields).length > 0) recordUpdated(tx, { ...change, fields: Object.keys(fields) })
    if (status) {
      await spaces.updateCounts(tx, space.id, countsAfter(space, { from: row.status, to: status }))
      recordStatusChanged(tx, { ...change, from: row.status, to: status })
    }
    return readableChangeRequest(transactionContext, params)
  })
}

function requireUpdatable(readable: ReadableChangeRequest): ReadableChangeRequest {
  requireWrite(readable, spaceCan.edit)
  const { status, number } = readable.changeRequest
  if (status === 'merged') throw new Failure('conflict', `The change request #${number} is merged`)
  return readable
}
