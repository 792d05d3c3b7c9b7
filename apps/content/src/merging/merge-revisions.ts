import type { Db } from '@recto/database'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import { diff, type Difference } from '../content-map/content-map.ts'
import { documentsByHash, nodeStore } from '../content-store/content.repository.ts'
import { mapInSlices } from '../lists/map-in-slices.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { MergedContent, MergeInput, Resolution } from './conflict.ts'
import { documentsToMerge, mergeContent, textsToMerge } from './merge.rules.ts'
import { mergedTextKey, type MergedTexts, mergeLoaded } from './merged-documents.ts'
import type { Side, Sides } from './three-way.ts'

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
  { resolutions = [], others }: { resolutions?: readonly Resolution[]; others?: Side | undefined } = {},
): Promise<MergedContent> {
  const { base, main, changeRequest } = revisions
  const sides = async <Row>(root: Root) => ({
    onMain: await differences<Row>(db, root, [base, main]),
    onChangeRequest: await differences<Row>(db, root, [base, changeRequest]),
  })
  const pages = {
    ...(await sides<PageRecord>('pagesRoot')),
    base: await loadPageIndex(db, base),
    main: await loadPageIndex(db, main),
    changeRequest: await loadPageIndex(db, changeRequest),
  }
  const files = { ...(await sides<FileRecord>('filesRoot')), main: await loadFileIndex(db, main.filesRoot) }
  const reusable = {
    ...(await sides<ReusableRecord>('reusableRoot')),
    main: await loadReusableContents(db, main.reusableRoot),
  }
  const toMerge = textsToMerge({ pages, reusable })
  const bytesByHash = await documentsByHash(db, documentsToMerge(toMerge))
  const documents = new Map(Array.from(bytesByHash, ([hash, bytes]) => [hash, bytes.toString()]))
  const input: MergeInput = {
    pages,
    files,
    reusable,
    resolutions,
    others,
    variables: { base: base.variables, main: main.variables, changeRequest: changeRequest.variables },
    configuration: {
      base: base.configuration,
      main: main.configuration,
      changeRequest: changeRequest.configuration,
    },
    documents,
    mergedTexts: await mergeTexts(toMerge, documents),
  }
  return mergeContent(input)
}

/** Merging content takes each text several times, and cannot pause; texts are most of its work. */
async function mergeTexts(
  toMerge: readonly Sides<string>[],
  documents: ReadonlyMap<string, string>,
): Promise<MergedTexts> {
  const merged = await mapInSlices(
    toMerge.filter(({ main, changeRequest }) => main !== undefined && changeRequest !== undefined),
    hashes => [mergedTextKey(hashes), mergeLoaded(hashes, hash => documents.get(hash) ?? '')] as const,
  )
  return new Map(merged)
}

async function differences<Row>(
  db: Db,
  root: Root,
  [before, after]: [RevisionRow, RevisionRow],
): Promise<Difference<Row>[]> {
  return diff<Row>(nodeStore(db), before[root], after[root])
}
