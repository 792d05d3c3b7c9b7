import { type ContentLookup, contentLookup } from '../pages/content-lookup.ts'
import { metaLinkTargets } from '../pages/meta-links.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { Context } from '../shared/context.ts'
import type { ContentView } from '../audience/content-view.ts'
import type { ResolvedRevision } from './resolve-revision.ts'
import { linkTarget } from '../pages/present-page.ts'
import { unresolvedApplicationUrl } from '../pages/visitor-document.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { visitedPlaces } from './visited-places.ts'

/** The lookup for targets of references in a revision; with a view, the pages are those that it shows. */
export async function revisionLookup(
  context: Pick<Context, 'db' | 'publicUrl' | 'actor'>,
  revision: RevisionRow,
  view?: Pick<ContentView, 'pages'>,
): Promise<ContentLookup> {
  const { spaceId, filesRoot, reusableRoot, configuration } = revision
  const { db, publicUrl } = context
  const pages = view ? await view.pages() : await visiblePages(context, revision)
  const files = await loadFileIndex(db, filesRoot)
  const reusable = await loadReusableContents(db, reusableRoot)
  return contentLookup({ pages, files, reusable, root: configuration?.root ?? '' }, { spaceId, publicUrl })
}

/** The page tree of a branch, and its presentation with the lookup for its links. */
export async function presentedTree(
  context: Pick<Context, 'db' | 'publicUrl' | 'actor' | 'publishing'>,
  { revision, view, presentation, computed }: ResolvedRevision,
): Promise<{ index: PageIndex; presentation: ResolvedRevision['presentation'] }> {
  const index = await view.pages(computed)
  if (!index.hasLinks && !index.hasMetaLinks) return { index, presentation }
  const content = await revisionLookup(context, revision, view)
  const { visitor } = context.actor
  if (!visitor) return { index, presentation: { ...presentation, content } }
  const targets = index
    .inOrder()
    .flatMap(page => [...(page.type === 'link' ? [linkTarget(page, index)] : []), ...metaLinkTargets(page, index)])
  const urls = targets.flatMap(target => unresolvedApplicationUrl(target, content) ?? [])
  return {
    index,
    presentation: { ...presentation, content, places: await visitedPlaces(urls, { ...context, visitor }) },
  }
}
