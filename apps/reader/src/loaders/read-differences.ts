import { ApiFailure } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { DocumentPage, Differences, PageDifference, Revision } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'
import { pageTree } from './page-tree.rules.ts'

/** A request for what differs in what a site previews. */
export interface DifferencesRequest {
  site: OpenedSite
  reads: Reads
  /** The revision that is compared with; without, that of `comparedRevision`, or the base of a change request, or the parent of a revision. */
  since: string | undefined
}

/** Whether a site has differences to show: those who may see a preview see what it changes, and nobody else. */
export function hasDifferences({ isPreview, lookup }: Pick<OpenedSite, 'isPreview' | 'lookup'>): boolean {
  return isPreview || lookup.changeRequest !== undefined || lookup.revision !== undefined
}

/** Reads the pages and files that differ. */
export function readDifferences(request: DifferencesRequest, page: string | undefined): Promise<Differences> {
  const { reads, site } = request
  const { path, query } = placeOf(request)
  return reads.fresh<Differences>({
    path: `${path}/changes/pages`,
    query: { ...query, limit: '50', ...(page !== undefined && { page }) },
    token: site.lookup.apiToken,
  })
}

/** Reads what differs in a page. */
export function readPageDifference(request: DifferencesRequest, pageId: string): Promise<PageDifference> {
  const { reads, site } = request
  const { path, query } = placeOf(request)
  return reads.fresh<PageDifference>({
    path: `${path}/changes/page/${encodeURIComponent(pageId)}`,
    query: { ...query, ...textQuery },
    token: site.lookup.apiToken,
  })
}

/** How texts are read that are compared: as readers see them. */
export const textQuery = { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' }

/**
 * The revision with which a pull request is compared: the one that it began from, for those who may read it, else main content, which every
 * visitor of the site may read. Undefined for other previews.
 */
function comparedRevision({ lookup, space }: Pick<OpenedSite, 'lookup' | 'space'>): string | undefined {
  return lookup.pullRequest && (lookup.pullRequest.base ?? space.revision)
}

/** The change request that a site previews, unless another revision than its base is asked for; else the revision that it shows. */
function placeOf(request: DifferencesRequest): { path: string; query: Record<string, string> } {
  const { space, lookup, revision } = request.site
  const since = request.since ?? comparedRevision(request.site)
  if (lookup.changeRequest !== undefined && since === undefined)
    return { path: `/spaces/${space.id}/change-requests/${lookup.changeRequest}`, query: {} }
  return {
    path: `/spaces/${space.id}/revisions/${revision.id}`,
    query: since === undefined ? {} : { since },
  }
}

/** A revision of another side as a site: its pages and files are those of then. */
export async function siteAt(
  site: OpenedSite,
  { side, reads }: { side: PageDifference['after']; reads: Reads },
): Promise<OpenedSite> {
  if (side.revision === site.revision.id) return site
  const path = `/spaces/${side.space}/revisions/${side.revision}`
  const token = site.lookup.apiToken
  const revision = await reads.immutable<Revision>({ path, query: { metadata: 'true' }, token })
  const own = `${site.links.own}revisions/${encodeURIComponent(side.revision)}/`
  return { ...site, revision, tree: pageTree(revision), links: { ...site.links, own } }
}

/** The page of a difference in the tree of one side; throws for one that has no text. */
export function pageAt(id: string, { tree }: OpenedSite): DocumentPage {
  const page = tree.byId.get(id)?.page
  if (!page) throw new ApiFailure(404, 'This page has no text')
  return page
}
