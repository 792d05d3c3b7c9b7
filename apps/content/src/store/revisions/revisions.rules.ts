import { emptyRoot } from '../content-map/content-map.ts'
import type { RevisionRow } from './revision.entity.ts'

/** The first revision of a space, without content. */
export function emptyRevision({
  id,
  spaceId,
  createdBy,
}: {
  id: string
  spaceId: string
  createdBy: string
}): RevisionRow {
  return {
    id,
    spaceId,
    type: 'edits',
    parents: [],
    pagesRoot: emptyRoot,
    filesRoot: emptyRoot,
    reusableRoot: emptyRoot,
    variables: {},
    git: null,
    createdBy,
    createdAt: new Date(),
  }
}

/** Whether two revisions have the same content from the same commit, so that the second is redundant. */
export function isSameContent(a: RevisionRow, b: RevisionRow): boolean {
  const content = (row: RevisionRow) =>
    JSON.stringify([row.pagesRoot, row.filesRoot, row.reusableRoot, row.variables, row.git?.oid])
  return content(a) === content(b)
}
