import type { Db } from '@recto/database'
import { type ContentLookup, contentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { RevisionRow } from '../store/revisions/revision.entity.ts'
import type { OpenBranch } from './branch.ts'

/** What the targets of references in a revision are looked up in. */
export async function revisionLookup(
  { db, publicUrl }: { db: Db; publicUrl: string },
  revision: RevisionRow,
): Promise<ContentLookup> {
  const { spaceId, filesRoot, reusableRoot, configuration } = revision
  const pages = await loadPageIndex(db, revision)
  const files = await loadFileIndex(db, filesRoot)
  const reusable = await loadReusableContents(db, reusableRoot)
  return contentLookup({ pages, files, reusable, root: configuration?.root ?? '' }, { spaceId, publicUrl })
}

/** The page tree of a branch, and how it is presented: with what its links are looked up in. */
export async function presentedTree(
  db: Db,
  { revision, presentation }: OpenBranch,
): Promise<{ index: PageIndex; presentation: OpenBranch['presentation'] }> {
  const index = await loadPageIndex(db, revision)
  if (!index.hasLinks) return { index, presentation }
  const content = await revisionLookup({ db, publicUrl: presentation.publicUrl }, revision)
  return { index, presentation: { ...presentation, content } }
}
