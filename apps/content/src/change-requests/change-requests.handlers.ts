import { changeRequests } from '@recto/contracts-content'
import { feature, fromView } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import { publishCreated } from './change-request-events.ts'
import * as repository from './change-requests.repository.ts'
import { newChangeRequest, countsAfter } from './change-requests.rules.ts'
import * as contributors from './contributors.repository.ts'
import { presentChangeRequests, presentOne, withoutHistory } from './present-change-request.ts'
import { type ChangeRequestParams, readableChangeRequest } from './readable-change-request.ts'
import { isReviewRequestedSql } from '../reviews/requested-reviewers.sql.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { describeUsers } from '../users/users.ts'
import { updateChangeRequest } from './update-change-request.ts'

export const changeRequestFeature = feature<BaseContext>()(changeRequests, {
  async listChangeRequestsForSpace({ params: { spaceId }, query }, context) {
    const { space, role } = await readableSpace(context, spaceId)
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await repository.listOfSpace(context.db, { ...query, isReviewRequestedSql, spaceId }, request)
    const rows = page.items.map(row => ({ ...row, mainRevision: space.revision, role }))
    return { ...page, items: await presentChangeRequests(context, space.organizationId, rows) }
  },

  async listChangeRequestsForOrganization({ params: { organizationId }, query }, context) {
    const viewer = viewerIn(context.actor, organizationId)
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await repository.listOfOrganization(context.db, { ...query, isReviewRequestedSql, viewer }, request)
    return { ...page, items: await presentChangeRequests(context, organizationId, page.items) }
  },

  async createChangeRequest({ params: { spaceId }, body: { subject = '' } }, context) {
    requireWrite(await readableSpace(context, spaceId), spaceCan.edit)
    const { actor } = context
    const created = await context.transaction(async tx => {
      await spaces.lock(tx, spaceId)
      const { space, role } = await readableSpace({ ...context, db: tx }, spaceId)
      requireWrite({ space, role }, spaceCan.edit)
      const changeRequest = newChangeRequest(space, { subject, createdBy: actor.userId })
      await repository.insert(tx, changeRequest)
      await spaces.updateCounts(tx, spaceId, countsAfter(space, { to: changeRequest.status }))
      await publishCreated(tx, { actor, space, changeRequest })
      return { space, role, changeRequest }
    })
    return presentOne(context, created)
  },

  getChangeRequestById: fromView(
    ({ params }: { params: ChangeRequestParams }, context: Context) => readableChangeRequest(context, params),
    async (readable, _input, context) => {
      const changeRequest = await presentOne(context, readable)
      return context.actor.visitor ? withoutHistory(changeRequest) : changeRequest
    },
  ),

  async updateChangeRequestById({ params, body }, context) {
    return presentOne(context, await updateChangeRequest(context, params, body))
  },

  async getContributorsByChangeRequestId({ params, query }, context) {
    const { space, role, changeRequest } = await readableChangeRequest(context, params)
    const actions = spaceCan.comment(role) ? (['edit', 'comment'] as const) : (['edit'] as const)
    const of = { changeRequestId: changeRequest.id, actions: [...actions] }
    const page = await contributors.listOf(context.db, of, { ...query, cursorKey: context.cursorKey() })
    const ids = page.items.map(({ userId }) => userId)
    const user = await describeUsers(context, space.organizationId, ids)
    const items = page.items.map(({ userId, actionType, count, updatedAt }) => {
      return { user: user(userId), actionType, count, updatedAt: updatedAt.toISOString() }
    })
    return { ...page, items }
  },
})
