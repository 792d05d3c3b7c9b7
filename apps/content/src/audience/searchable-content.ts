import type { Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { MainProjectionRow } from '../projection/main-projection.entity.ts'
import { findProjections } from '../projection/main-projections.repository.ts'
import { visiblePages } from './visible-pages.ts'

/** A page that a visitor must not find in what is projected of main content. */
export interface HiddenPage {
  spaceId: string
  pageId: string
}

/** The projected content of spaces that a visitor may find. */
export interface SearchableContent {
  /** The spaces of which anything may be found. */
  spaces: Set<string>
  /** Their pages that must not be found. */
  hidden: HiddenPage[]
  /** Main content of the spaces, whose conditions decide which parts of texts may be found. */
  current: RevisionRow[]
}

interface Asking {
  db: Db
  actor: Actor
}

/**
 * Selects the projected content of spaces that a visitor may find; projections may lag behind main content for a moment: of a space of which nothing is
 * projected, nothing; of other spaces what their audience sees, but no page that is not in main content as it was projected. The
 * caller reads the projections in the same snapshot.
 */
export async function searchableContent(
  asking: Asking,
  spaces: readonly { id: string; revision: string }[],
): Promise<SearchableContent> {
  const { db } = asking
  const projections = await findProjections(
    db,
    spaces.map(({ id }) => id),
  )
  const projectionOf = new Map(projections.filter(({ revision }) => revision !== null).map(row => [row.spaceId, row]))
  const current = await revisions.findAll(
    db,
    spaces.flatMap(({ id, revision }) => (projectionOf.has(id) ? [revision] : [])),
  )
  const hidden: HiddenPage[] = []
  for (const revision of current) {
    const { spaceId } = revision
    const ids = await hiddenIn(asking, revision, projectionOf.get(spaceId))
    hidden.push(...ids.map(pageId => ({ spaceId, pageId })))
  }
  return { spaces: new Set(current.map(({ spaceId }) => spaceId)), hidden, current }
}

async function hiddenIn(
  asking: Asking,
  revision: RevisionRow,
  projection: MainProjectionRow | undefined,
): Promise<string[]> {
  const isCurrent = projection?.revision === revision.id
  // Trees that everybody sees are not read.
  if (!projection || (isCurrent && !projection.hasConditions)) return []
  const visible = await visiblePages(asking, revision)
  const before = isCurrent ? undefined : await revisions.find(asking.db, projection.revision ?? '')
  const projected = await loadShownPages(asking.db, before ?? revision)
  return projected.inOrder().flatMap(({ id }) => (isSame(id, projected, visible) ? [] : [id]))
}

/** Whether a page is visible, and as it was projected. */
function isSame(id: string, projected: PageIndex, visible: PageIndex): boolean {
  const before = projected.get(id)
  const now = visible.get(id)
  return (
    now !== undefined && (before === now || searchFingerprint(before, projected) === searchFingerprint(now, visible))
  )
}

/** Serialises the searchable fields of a page, so that two versions can be compared. */
function searchFingerprint(page: PageRecord | undefined, index: PageIndex): string | undefined {
  return page && JSON.stringify([page.type, page.title, page.description, page.document, index.pathOf(page.id)])
}
