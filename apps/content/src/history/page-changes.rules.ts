import type { SemanticChange as WireChange } from '@recto/contracts-content'
import type { z } from 'zod'
import type { ContentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { Presentation } from '../pages/present-page.ts'
import type { Difference } from '../content-map/content-map.ts'
import type { PageRecord } from '../revisions/records.ts'
import { beforeAndAfter } from './changed-attributes.ts'
import { pageAttributes } from './page-attributes.ts'

/** A change of a page. */
export type PageChange = Extract<z.input<typeof WireChange>, { page: unknown }>
type PageRef = PageChange['page']

/** The page trees of two revisions, and the differences of their records. */
export interface PageComparison {
  before: PageIndex
  after: PageIndex
  differences: Difference<PageRecord>[]
  /** The contents that targets of links are looked up in; without them, all targets are URLs. */
  lookups?: { before: ContentLookup; after: ContentLookup }
}

/** Finds the changes of pages: in the order of the new tree, a page's move before its edit, then deleted pages in the order of the old tree. */
export function pageChanges(comparison: PageComparison, presentation: Presentation): PageChange[] {
  const { before, after, differences, lookups } = comparison
  const byId = new Map(differences.map(difference => [difference.id, difference]))
  const isMoved = moveDetector(comparison)
  const otherChanges = after.inOrder().flatMap((record): PageChange[] => {
    const difference = byId.get(record.id)
    if (!difference) return []
    if (!difference.before) return [{ type: 'page_created', page: presentPageRef(record, after) }]
    const attributes = pageAttributes(
      { record: difference.before, index: before, content: lookups?.before },
      { record, index: after, content: lookups?.after },
      presentation,
    )
    const page = presentPageRef(record, after)
    const parent = beforeAndAfter(parentOf(difference.before, before), parentOf(record, after))
    return [
      ...(isMoved(record.id) ? [{ type: 'page_moved' as const, page, parent }] : []),
      ...(Object.keys(attributes).length > 0 ? [{ type: 'page_edited' as const, page, attributes }] : []),
    ]
  })
  const isDeleted = ({ id }: PageRecord) => byId.has(id) && !after.get(id)
  const deletions = before
    .inOrder()
    .filter(isDeleted)
    .map(record => ({ type: 'page_deleted' as const, page: presentPageRef(record, before) }))
  return [...otherChanges, ...deletions]
}

/** A page as its changes name it. */
export function presentPageRef(record: PageRecord, index: PageIndex): PageRef {
  const { id, type, title, slug } = record
  return { id, type, title, ...(slug !== undefined && { path: index.pathOf(id) }) }
}

function parentOf(record: PageRecord, index: PageIndex): PageRef | undefined {
  const parent = record.parent === null ? undefined : index.get(record.parent)
  return parent && presentPageRef(parent, index)
}

/**
 * Returns a predicate for moved pages: a page is moved when it has another parent, or another place among the siblings that it has in both
 * trees. New order keys alone, and siblings that come or go, do not count as moves.
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

/** Numbers the pages that are below a parent in both trees, in the order of each tree. */
function commonPlaces(parent: string | null, { before, after }: { before: PageIndex; after: PageIndex }) {
  const [old, now] = [before, after].map(index => index.childrenOf(parent).map(({ id }) => id))
  const inOld = new Set(old)
  const inNow = new Set(now)
  const placesOf = (ids: string[] = []) =>
    new Map(ids.filter(id => inOld.has(id) && inNow.has(id)).map((id, place) => [id, place]))
  return [placesOf(old), placesOf(now)]
}
