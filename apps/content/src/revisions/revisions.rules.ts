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

/** Whether a revision has the same content as the one before, and is of the same commit if it is of any: then it is redundant. */
export function isSameContent(before: RevisionRow, revision: RevisionRow): boolean {
  const content = (row: RevisionRow) =>
    canonicalJson([row.pagesRoot, row.filesRoot, row.reusableRoot, row.computedRoot, row.variables, row.configuration])
  return content(before) === content(revision) && (!revision.git || before.git?.oid === revision.git.oid)
}
