import { canonicalJson, emptyRoot } from '../content-map/content-map.ts'
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
    computedRoot: emptyRoot,
    variables: {},
    git: null,
    configuration: null,
    mergedFrom: null,
    mainNumber: 1,
    mainSince: null,
    createdBy,
    createdAt: new Date(),
  }
}

/** Whether a revision is redundant: it has the content of the one before, and the same commit if it has one. */
export function isSameContent(before: RevisionRow, revision: RevisionRow): boolean {
  const content = (row: RevisionRow) =>
    canonicalJson([row.pagesRoot, row.filesRoot, row.reusableRoot, row.computedRoot, row.variables, row.configuration])
  return content(before) === content(revision) && (!revision.git || before.git?.oid === revision.git.oid)
}
