import { revisionChanges } from '@recto/contracts'
import { feature } from '@recto/operation'
import { pastRevision } from '../../branches/branch.ts'
import { presentFile } from '../../pages/present-page.ts'
import { loadPageIndex } from '../../pages/revision-index.ts'
import { indexPages } from '../../pages/page-tree.ts'
import type { BaseContext } from '../../shared/context.ts'
import { diff, emptyRoot } from '../../store/content-map/content-map.ts'
import { nodeStore } from '../../store/content/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../store/revisions/records.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { fileChanges, pageChanges, reusableChanges, variableChanges } from './revision-changes.rules.ts'

export const revisionChangeFeature = feature<BaseContext>()(revisionChanges, {
  async getRevisionSemanticChanges({ params, query: { limit, metadata } }, context) {
    const { db } = context
    const { revision, presentation } = await pastRevision({ ...params, metadata }, context)
    const [parent] = revision.parents
    const before = parent === undefined ? undefined : await revisions.find(db, parent)
    const store = nodeStore(db)
    const trees = {
      before: before ? await loadPageIndex(db, before) : indexPages([]),
      after: await loadPageIndex(db, revision),
    }
    const [pages, files, reusable] = await Promise.all([
      diff<PageRecord>(store, before?.pagesRoot ?? emptyRoot, revision.pagesRoot),
      diff<FileRecord>(store, before?.filesRoot ?? emptyRoot, revision.filesRoot),
      diff<ReusableRecord>(store, before?.reusableRoot ?? emptyRoot, revision.reusableRoot),
    ])
    const changes = [
      ...pageChanges(pages, trees),
      ...fileChanges(files, file => presentFile(file, presentation)),
      ...reusableChanges(reusable),
      ...variableChanges(before?.variables ?? {}, revision.variables),
    ]
    const more = changes.length - limit
    return { changes: changes.slice(0, limit), ...(more > 0 && { more }) }
  },
})
