import { changeRequests } from '@recto/contracts-content'
import { feature, fromView, type Input } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import { recordCreated } from './change-request-records.ts'
import * as repository from './change-requests.repository.ts'
import { newChangeRequest, countsAfter } from './change-requests.rules.ts'
import * as contributors from './contributors.repository.ts'
import { presentChangeRequests, presentOne, withoutHistory } from './present-change-request.ts'
import { type ChangeRequestParams, readableChangeRequest, withChangeRequest } from './readable-change-request.ts'
import { isReviewRequestedSql } from '../reviews/requested-reviewers.sql.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { requireWrite, spaceCan } from '../spaces/spaces.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { addContent } from '../editing/add-content.ts'
import { changeRequestWriter } from '../editing/change-request-writer.ts'
import { currentImports, readableSpaceWithImports } from '../imports/current-imports.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { templateLinks } from '../templates/template-links.ts'
import { readTemplate } from '../templates/templates.ts'
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

  async createChangeRequest({ params: { spaceId }, body: { subject = '', template } }, context) {
    const readable = await readableSpace(context, spaceId)
    requireWrite(readable, spaceCan.edit)
    const { actor } = context
    const set = template && (await templatePages(template, readable.space, context))
    const created = await context.transaction(async tx => {
      if (set) await lockContent(tx)
      await spaces.lock(tx, spaceId)
      const { space, role } = await readableSpace({ ...context, db: tx }, spaceId)
      requireWrite({ space, role }, spaceCan.edit)
      const changeRequest = newChangeRequest(space, { subject, createdBy: actor.userId })
      await repository.insert(tx, changeRequest)
      await spaces.updateCounts(tx, spaceId, countsAfter(space, { to: changeRequest.status }))
      recordCreated(tx, { space, changeRequest })
      if (!set) return { space, role, changeRequest }
      const params = { spaceId, changeRequestId: changeRequest.id }
      await addContent(tx, { writer: changeRequestWriter, params }, { page: null, set, createdBy: actor.userId })
      return readableChangeRequest({ ...context, db: tx }, params)
    })
    return presentOne(context, created)
  },

  getChangeRequestById: fromView(
    async ({ params: { spaceId, changeRequestId } }: { params: ChangeRequestParams }, context: Context) =>
      withChangeRequest(context, await readableSpaceWithImports(context, spaceId), changeRequestId),
    async (readable, _input, context) => {
      const changeRequest = await presentOne(context, readable)
      if (context.actor.visitor) return withoutHistory(changeRequest)
      return { ...changeRequest, ...(await currentImports(readable, readable.changeRequest.id, context)) }
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

type Template = NonNullable<Input<typeof changeRequests.createChangeRequest>['body']['template']>

/** The pages of a template that a new change request of a space starts with. */
async function templatePages(
  { id, params }: Template,
  { id: spaceId, organizationId: organization }: SpaceRow,
  context: Context,
) {
  const field = 'body.template.params.contentRefs'
  const links = await templateLinks(params.contentRefs, context, { organization, spaceId, field })
  return readTemplate(context, { id, field }, links)
}
