import { downloadIssuedFor } from '@recto/actor/site-version'
import { history } from '@recto/contracts-content'
import { feature, fromView, type Input } from '@recto/operation'
import { pastRevision } from '../reading/resolve-revision.ts'
import { baseRevision } from '../change-requests/change-requests.rules.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { contentTag } from '../revisions/content-tag.ts'
import { presentMergedFrom } from '../reading/present-revision.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { listContentChanges, revisionUntil } from './content-changes.ts'
import { presentChanges } from './present-changes.ts'
import { presentSummaries } from './present-summaries.ts'
import { restoreRevision } from './restore-revision.ts'
import { changesSince } from './changes-since.ts'

export const historyFeature = feature<BaseContext>()(history, {
  async getRevisionSemanticChanges({ params, query }, context) {
    const current = await pastRevision({ ...params, ...query }, context)
    const [parent] = current.revision.parents
    const before = parent === undefined ? undefined : await revisions.get(context.db, parent)
    const changes = await changesSince(before, current, context)
    const mergedFrom = await presentMergedFrom(context, params.spaceId, current.revision)
    return { ...mergedFrom, ...presentChanges(changes, { ...current.presentation, limit: query.limit }) }
  },

  listContentChanges: fromView(
    ({ params, query }: Input<typeof history.listContentChanges>, context: Context) =>
      revisionUntil({ ...params, ...query }, context),
    (target, { query }, context) => listContentChanges(target, query, context),
  ),

  async getChangeRequestChanges({ params, query }, context) {
    const { space, changeRequest } = await readableChangeRequest(context, params)
    const { db, publicUrl, signingSecret, build, actor } = context
    // The tag names both revisions: an update can change the base of a change request, and leave its content as it is.
    const sides = `${baseRevision(changeRequest)}-${changeRequest.revision}`
    context.setETag(contentTag(sides, { build, now: new Date() }))
    const before = await revisions.get(db, baseRevision(changeRequest))
    const revision = await revisions.get(db, changeRequest.revision)
    const issuedFor = downloadIssuedFor(actor.visitor)
    const presentation = { spaceId: space.id, publicUrl, signingSecret, issuedFor, metadata: false }
    const changes = await changesSince(before, { revision, presentation }, context)
    return presentChanges(changes, { ...presentation, limit: query.limit })
  },

  async listRevisions({ params: { spaceId }, query }, context) {
    const { space, role } = await readableSpace(context, spaceId)
    const page = await revisions.listMain(context.db, spaceId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await presentSummaries(context, { space, role }, page.items) }
  },

  restoreRevision: ({ params }, context) => restoreRevision(context, params),
})
