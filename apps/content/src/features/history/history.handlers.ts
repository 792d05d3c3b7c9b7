import { history } from '@recto/contracts'
import { feature } from '@recto/operation'
import { changeRequestContent, pastRevision } from '../../branches/branch.ts'
import { baseRevision } from '../../branches/change-requests/change-requests.rules.ts'
import { readableChangeRequest } from '../../branches/change-requests/readable-change-request.ts'
import { presentMergedFrom } from '../../branches/present-revision.ts'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import type { BaseContext } from '../../shared/context.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { compareRevisions, nothingBefore } from './compare-revisions.ts'
import { presentChanges } from './present-changes.ts'
import { presentSummaries } from './present-summaries.ts'
import { restoreRevision } from './restore-revision.ts'
import { semanticChanges } from './semantic-changes.rules.ts'

export const historyFeature = feature<BaseContext>()(history, {
  async getRevisionSemanticChanges({ params, query }, context) {
    const { revision, presentation } = await pastRevision({ ...params, ...query }, context)
    const [parentId] = revision.parents
    const parent = parentId === undefined ? nothingBefore(revision) : await revisions.find(context.db, parentId)
    if (!parent) throw new Error(`Revision ${revision.id} has lost its parent ${parentId}`)
    const comparison = await compareRevisions(context.db, parent, revision)
    const changes = semanticChanges(comparison, presentation)
    const mergedFrom = await presentMergedFrom(context, params.spaceId, revision)
    return { ...mergedFrom, ...presentChanges(changes, { ...presentation, limit: query.limit }) }
  },

  async getChangeRequestChanges({ params, query }, context) {
    const { changeRequest } = await readableChangeRequest(context, params)
    const before = await revisions.find(context.db, baseRevision(changeRequest))
    const { revision, presentation } = await changeRequestContent({ ...params, metadata: 'false' }, context)
    if (!before) throw new Error(`Change request ${changeRequest.id} has lost its base`)
    const comparison = await compareRevisions(context.db, before, revision)
    return presentChanges(semanticChanges(comparison, presentation), { ...presentation, limit: query.limit })
  },

  async listRevisions({ params: { spaceId }, query }, context) {
    const { space, role } = await readableSpace(context, spaceId)
    const page = await revisions.listMain(context.db, spaceId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: await presentSummaries(context, { space, role }, page.items) }
  },

  restoreRevision: ({ params }, context) => restoreRevision(context, params),
})
