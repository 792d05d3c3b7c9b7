import { history } from '@recto/contracts'
import { feature } from '@recto/operation'
import { pastRevision } from '../../branches/branch.ts'
import { revisionLookup } from '../../branches/branch-content.ts'
import type { BaseContext } from '../../shared/context.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { compareRevisions, nothingBefore } from './compare-revisions.ts'
import { presentChanges } from './present-changes.ts'
import { semanticChanges } from './semantic-changes.rules.ts'

export const historyFeature = feature<BaseContext>()(history, {
  async getRevisionSemanticChanges({ params, query }, context) {
    const { revision, presentation } = await pastRevision({ ...params, ...query }, context)
    const [parentId] = revision.parents
    const parent = parentId === undefined ? undefined : await revisions.find(context.db, parentId)
    if (parentId !== undefined && !parent) throw new Error(`Revision ${revision.id} has lost its parent ${parentId}`)
    const comparison = await compareRevisions(context.db, parent ?? nothingBefore(revision), revision)
    const { before, after } = comparison.pages
    if (parent && (before.hasLinks || after.hasLinks))
      comparison.pages.lookups = {
        before: await revisionLookup(context, parent),
        after: await revisionLookup(context, revision),
      }
    return presentChanges(semanticChanges(comparison, presentation), { ...presentation, limit: query.limit })
  },
})
