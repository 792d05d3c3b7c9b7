import type { DocumentRef, JSONDocument } from '@recto/markdown/schema'
import type { Reads } from '../api/reads.ts'
import type { ChangeComment, PageDifference, PageDocument } from '../api/types.ts'
import { markDocument, placeComments, type Body, type Target } from '../blocks/index.ts'
import type { OpenedSite } from './open-site.ts'
import { readParts, type Bodies, type BodyPlace } from './read-body.ts'
import { pageAt, siteAt, textQuery } from './read-differences.ts'

interface Comparing extends BodyPlace {
  reads: Reads
  bodies: Bodies
  /** Comments on the page. */
  comments: readonly ChangeComment[]
}

/** The body of a page with its differences, and the comments that are about none of its blocks. */
export interface ComparedBody {
  body?: Body
  comments: readonly ChangeComment[]
}

/** The body of a page merged with what it was before, each difference marked and comments at their blocks; none for a page that has no text on either side. */
export async function readComparedBody(change: PageDifference, where: Comparing): Promise<ComparedBody> {
  const { site, reads, bodies, comments } = where
  const { before, after, page, difference, status } = change
  const isDocument = page.type === 'document' || change.from?.type === 'document'
  if (!isDocument) return { comments }
  const current = await siteAt(site, { side: after, reads })
  const old = before && (await siteAt(site, { side: before, reads }))
  const document = page.type === 'document' && status !== 'deleted' ? await documentAt(page.id, current, reads) : empty
  const { document: merged, ...marked } = markDocument(document, difference)
  const own = status === 'deleted' && old ? old : current
  const source = own.tree.byId.has(page.id) ? own : (old ?? current)
  const parts = await readParts(merged, { page: pageAt(page.id, source), site: current, reads })
  const oldTargets = old ? await targetsBefore(merged, { page: page.id, old, own: source, reads }) : {}
  const { needs: _needs, ...rest } = parts
  const targets = { ...oldTargets, ...parts.targets }
  const placement = placeComments(comments, { document: merged, marks: marked.marks })
  const marks = { ...marked, ...(placement.comments.size > 0 && { comments: placement.comments }) }
  const body = await bodies.compare({ document: merged, marked: marks, ...rest, targets }, { ...where, site: current })
  return { body, comments: placement.others }
}

const empty: JSONDocument = { object: 'document', data: { schemaVersion: 0 }, nodes: [] }

async function documentAt(
  pageId: string,
  { space, revision, lookup }: OpenedSite,
  reads: Reads,
): Promise<JSONDocument> {
  const path = `/spaces/${space.id}/revisions/${revision.id}/page/${encodeURIComponent(pageId)}/document`
  return reads.immutable<PageDocument>({ path, query: textQuery, token: lookup.apiToken })
}

/** Where references led: files are shown as they were, and of pages only their titles, as their addresses may be gone. */
async function targetsBefore(
  merged: JSONDocument,
  { page, old, own, reads }: { page: string; old: OpenedSite; own: OpenedSite; reads: Reads },
): Promise<Record<string, Target>> {
  const { targets } = await readParts(merged, { page: pageAt(page, own), site: old, reads })
  const entries = Object.entries(targets).map(([key, target]): [string, Target] => {
    const { kind } = Object.fromEntries(JSON.parse(key) as [string, string][]) as unknown as DocumentRef
    return [key, kind === 'file' || kind === 'url' ? target : { title: target.title }]
  })
  return Object.fromEntries(entries)
}
