import type { reviews as rows } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { completeDocument } from '@recto/markdown'
import { fieldFaults, type Input } from '@recto/operation'
import { canView } from '../access/access.policy.ts'
import { recordStatusChanged, recordUpdated } from '../change-requests/change-request-records.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { countsAfter, requireActive } from '../change-requests/change-requests.rules.ts'
import { type ReadableChangeRequest, readableChangeRequest } from '../change-requests/readable-change-request.ts'
import type { RequestedReviewerRow } from './requested-reviewer.entity.ts'
import * as requests from './requested-reviewers.repository.ts'
import { recordReviewers } from './review-records.ts'
import { type ReadableSpace, requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { changedFields } from '../events/changed-fields.rules.ts'
import { usersWith } from '../spaces/users-with.ts'
import type { Context } from '../shared/context.ts'
import { lockForWriting, type Params } from './lock-change-request.ts'

type Requested = Input<typeof rows.requestReviewersForChangeRequest>['body']

/** Requests a review from users and submits a draft; earlier requests stay. Throws `not_found` for users who cannot read the space. */
export async function requestReviewers(
  params: Params,
  { users: userIds, subject, description }: Requested,
  context: Context,
): Promise<ReadableChangeRequest & { requests: RequestedReviewerRow[] }> {
  const { actor } = context
  const before = await readableChangeRequest(context, params)
  requireWrite(before, spaceCan.edit)
  const users = [...new Set(userIds)]
  await requireReaders(userIds, before, context)
  return context.transaction(async tx => {
    const readable = await lockForWriting(tx, { params, can: spaceCan.edit }, context)
    const { space, changeRequest } = readable
    requireActive(changeRequest)
    await describeAndSubmit(tx, readable, { subject, description })
    const { id: changeRequestId, revision } = changeRequest
    const requestedIds = new Set((await requests.findOf(tx, changeRequestId, users)).map(({ userId }) => userId))
    const newReviewers = users.filter(user => !requestedIds.has(user))
    const request = { changeRequestId, revision, requestedBy: actor.userId, createdAt: new Date() }
    await requests.insert(
      tx,
      newReviewers.map(userId => ({ ...request, userId })),
    )
    if (newReviewers.length > 0) recordReviewers(tx, { added: newReviewers }, { space, changeRequest })
    const rowsByUser = new Map((await requests.findOf(tx, changeRequestId, users)).map(row => [row.userId, row]))
    return { ...readable, requests: users.flatMap(user => rowsByUser.get(user) ?? []) }
  })
}

/** Throws `not_found` that names each user who is not a member or cannot read the space. */
async function requireReaders(users: string[], { space }: ReadableSpace, context: Context): Promise<void> {
  const readers = await usersWith(canView, { space, users }, context)
  const faults = users.flatMap((user, at) =>
    readers.has(user) ? [] : [{ path: `body.users.${at}`, message: 'is not a member who can read the space' }],
  )
  if (faults.length > 0) throw fieldFaults(faults, 'not_found')
}

async function describeAndSubmit(
  tx: Transaction,
  { space, changeRequest: row }: ReadableChangeRequest,
  fields: Pick<Requested, 'subject' | 'description'>,
): Promise<void> {
  const status = row.status === 'draft' ? ('open' as const) : undefined
  const description = fields.description && completeDocument(fields.description)
  const textChanges = changedFields<typeof row, 'subject' | 'description'>(row, { ...fields, description })
  const changes = { ...textChanges, ...(status && { status }) }
  if (Object.keys(changes).length === 0) return
  await changeRequests.update(tx, row.id, changes)
  const change = { space, changeRequest: row }
  const names = Object.keys(textChanges)
  if (names.length > 0) recordUpdated(tx, { ...change, fields: names })
  if (!status) return
  await spaces.updateCounts(tx, space.id, countsAfter(space, { from: row.status, to: status }))
  recordStatusChanged(tx, { ...change, from: row.status, to: status })
}

/** Withdraws the request for a reviewer, if there is one. */
export async function withdrawRequest(params: Params & { userId: string }, context: Context): Promise<void> {
  await context.transaction(async tx => {
    const { space, changeRequest } = await lockForWriting(tx, { params, can: spaceCan.edit }, context)
    const request = await requests.take(tx, changeRequest.id, params.userId)
    if (request) recordReviewers(tx, { removed: [request.userId] }, { space, changeRequest })
  })
}
