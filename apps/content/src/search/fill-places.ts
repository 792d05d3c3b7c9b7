import type { Transaction } from '@recto/database'
import { batches } from '../lists/batches.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import { lockProjection } from '../projection/main-projections.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { placesOf } from './index-page.ts'
import * as index from './search-index.repository.ts'

/** Pages that one statement writes. */
const batch = 500

/** Fills in the descriptions and places of pages that the version before indexed; their texts are not indexed again. */
export async function fillPlaces(tx: Transaction, spaceId: string): Promise<void> {
  const { revision: projectedId } = await lockProjection(tx, spaceId)
  const revision = projectedId === null ? null : await revisions.find(tx, projectedId)
  const pageIds = revision ? await index.findUnplacedPages(tx, spaceId) : []
  if (!revision || pageIds.length === 0) return
  const pages = await loadShownPages(tx, revision)
  const places = placesOf(pages)
  for (const some of batches(pageIds, batch)) {
    const rows = some.map(pageId => ({
      pageId,
      description: pages.get(pageId)?.description ?? '',
      parent: places.get(pageId)?.parent ?? null,
    }))
    await index.savePlaces(tx, spaceId, rows)
  }
}
