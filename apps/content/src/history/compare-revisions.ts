import type { Db } from '@recto/database'
import { loadPageIndex } from '../pages/revision-index.ts'
import { diff, emptyRoot } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { RevisionComparison } from './semantic-changes.ts'

type ComparedContent = Pick<
  RevisionRow,
  'spaceId' | 'pagesRoot' | 'filesRoot' | 'reusableRoot' | 'variables' | 'configuration'
>

/** Empty content, as the state before the first revision of a space. */
export function emptyContent({ spaceId }: RevisionRow): ComparedContent {
  return {
    spaceId,
    pagesRoot: emptyRoot,
    filesRoot: emptyRoot,
    reusableRoot: emptyRoot,
    variables: {},
    configuration: null,
  }
}

/** Compares the content of two revisions; beside the page trees, only differences are read. */
export async function compareRevisions(
  db: Db,
  before: ComparedContent,
  after: ComparedContent,
): Promise<RevisionComparison> {
  const store = nodeStore(db)
  return {
    pages: {
      before: await loadPageIndex(db, before),
      after: await loadPageIndex(db, after),
      differences: await diff<PageRecord>(store, before.pagesRoot, after.pagesRoot),
    },
    files: await diff<FileRecord>(store, before.filesRoot, after.filesRoot),
    reusable: await diff<ReusableRecord>(store, before.reusableRoot, after.reusableRoot),
    variables: { before: before.variables, after: after.variables },
    tags: { before: before.configuration?.tags ?? [], after: after.configuration?.tags ?? [] },
  }
}
