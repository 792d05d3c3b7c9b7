import type { SemanticChange as WireChange } from '@recto/contracts-content'
import type { z } from 'zod'
import type { ContentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { Presentation } from '../pages/present-page.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { bothSides } from './changed-attributes.ts'
import { pageAttributes } from './page-attributes.ts'

/** A change of a page. */
export type PageChange = Extract<z.input<typeof WireChange>, { page: unknown }>
type ChangedPage = PageChange['page']

/** The page trees of two revisions, and how their records differ. */
export interface PageComparison {
  before: PageIndex
  after: PageIndex
  differences: Difference<PageRecord>[]
  /** Where the targets of links in the two trees are looked up; without it, all of them are URLs. */
  lookups?: { before: ContentLookup; after: ContentLookup }
}

/** The changes of pages: in the order of the tree after them, each page moved before it is edited, then deleted pages in the order before. */
export function pageChanges(comparison: PageComparison, presentation: Presentation): PageChange[] {
  const { before, after, differences, lookups } = comparison
  const byId = new Map(differences.map(difference => [difference.id, difference]))
  const isMoved = moveDetector(comparison)
  const remaining = after.inOrder().flatMap((record): PageChange[] => {
    const difference = byId.get(record.id)
    if (!difference) return []
    if (!difference.before) return [{ type: 'page_created', page: presentChanged(record, after) }]
    const attributes = pageAttributes(
      { record: difference.before, index: before, content: lookups?.before },
      { record, index: after, content: lookups?.after },
      presentation,
    )
    const page = presentChanged(record, after)
    const parent = bothSides(parentOf(difference.before, before), parentOf(record, after))
    return [
      ...(isMoved(record.id) ? [{ type: 'page_moved' as const, page, parent }] : []),
      ...(Object.keys(attributes).length > 0 ? [{ type: 'page_edited' as const, page, attributes }] : []),
    ]
  })
  const isDeleted = ({ id }: PageRecord) => byId.has(id) && !after.get(id)
  const deleted = before
    .inOrder()
    .filter(isDeleted)
    .map(record => ({ type: 'page_deleted' as const, page: presentChanged(record, before) }))
  return [...remaining, ...deleted]
}

function presentChanged(record: PageRecord, index: PageIndex): ChangedPage {
  const { id, type, title, slug } = record
  return { id, type, title, ...(slug !== undefined && { path: index.pathOf(id) }) }
}

function parentOf(record: PageRecord, index: PageIndex): ChangedPage | undefined {
  const parent = record.parent === null ? undefined : index.get(record.parent)
  return parent && presentChanged(parent, index)
}

/**
 * Whether a page has another parent, or another place among the siblings that it has in both trees. New order keys alone, and siblings
 * that come or go, move nothing.
 */
function moveDetector({ before, after, differences }: PageComparison): (id: string) => boolean {
  const byId = new Map(differences.map(difference => [difference.id, difference]))
  const places = new Map<string | null, Map<string, number>[]>()
  const placesBelow = (parent: string | null) => {
    const commonPlacesBelow = places.get(parent) ?? commonPlaces(parent, { before, after })
    places.set(parent, commonPlacesBelow)
    return commonPlacesBelow
  }
  return id => {
    const { before: old, after: now } = byId.get(id) ?? {}
    if (!old || !now) return false
    if (old.parent !== now.parent) return true
    if (old.order === now.order) return false
    const [placesBefore, placesAfter] = placesBelow(now.parent)
    return placesBefore?.get(id) !== placesAfter?.get(id)
  }
}

/** The places of the pages that are below a parent in both trees, counted among them only. */
function commonPlaces(parent: string | null, { before, after }: { before: PageIndex; after: PageIndex }) {
  const [old, now] = [before, after].map(index => index.childrenOf(parent).map(({ id }) => id))
  const inOld = new Set(old)
  const inNow = new Set(now)
  const placesOf = (ids: string[] = []) =>
    new Map(ids.filter(id => inOld.has(id) && inNow.has(id)).map((id, place) => [id, place]))
  return [placesOf(old), placesOf(now)]
}
