import type { Db } from '@recto/database'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../../pages/revision-index.ts'
import { diff, type Difference } from '../../store/content-map/content-map.ts'
import { documentsByHash, nodeStore } from '../../store/content/content.repository.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../store/revisions/records.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import type { MergedContent, MergeInput, Resolution } from './conflict.ts'
import { documentsToMerge, mergeContent } from './merge.rules.ts'

/** The revisions of a merge: both sides, and the main content that both come from. */
export interface MergedRevisions {
  base: RevisionRow
  main: RevisionRow
  changeRequest: RevisionRow
}

type Root = 'pagesRoot' | 'filesRoot' | 'reusableRoot'

/** Merges a change request into main content, in memory; reads only what differs, beside the page trees. */
export async function mergeRevisions(
  db: Db,
  revisions: MergedRevisions,
  resolutions: readonly Resolution[] = [],
): Promise<MergedContent> {
  const { base, main, changeRequest } = revisions
  const sides = async <Row>(root: Root) => ({
    onMain: await differences<Row>(db, root, [base, main]),
    onChangeRequest: await differences<Row>(db, root, [base, changeRequest]),
  })
  const pages = {
    ...(await sides<PageRecord>('pagesRoot')),
    ...{ base: await loadPageIndex(db, base), main: await loadPageIndex(db, main) },
    changeRequest: await loadPageIndex(db, changeRequest),
  }
  const files = { ...(await sides<FileRecord>('filesRoot')), main: await loadFileIndex(db, main.filesRoot) }
  const reusable = {
    ...(await sides<ReusableRecord>('reusableRoot')),
    main: await loadReusableContents(db, main.reusableRoot),
  }
  const stored = await documentsByHash(db, documentsToMerge({ pages, reusable }))
  const input: MergeInput = {
    ...{ pages, files, reusable, resolutions },
    variables: { base: base.variables, main: main.variables, changeRequest: changeRequest.variables },
    configuration: {
      base: base.configuration,
      main: main.configuration,
      changeRequest: changeRequest.configuration,
    },
    documents: new Map(Array.from(stored, ([hash, bytes]) => [hash, bytes.toString()])),
  }
  return mergeContent(input)
}

async function differences<Row>(
  db: Db,
  root: Root,
  [before, after]: [RevisionRow, RevisionRow],
): Promise<Difference<Row>[]> {
  return diff<Row>(nodeStore(db), before[root], after[root])
}
