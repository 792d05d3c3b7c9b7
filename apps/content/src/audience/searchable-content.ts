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

/** A page that a visitor must not find in the projections. */
export interface HiddenPage {
  spaceId: string
  pageId: string
}

/** The projected content of spaces that a visitor may find. */
export interface SearchableContent {
  /** The spaces that may have results. */
  spaces: Set<string>
  /** The pages of these spaces that must not be found. */
  hidden: HiddenPage[]
  /** The main content of these spaces, whose conditions decide which parts of texts may be found. */
  current: RevisionRow[]
}

interface ReaderTools {
  db: Db
  actor: Actor
}

/**
 * Selects the projected content of spaces that a visitor may find. Projections may lag behind main content for a moment: a space without a
 * projection has no results, and in others a page is found only when it is visible and still as it was projected. The caller must read
 * the projections in the same snapshot.
 */
export async function searchableContent(
  tools: ReaderTools,
  spaces: readonly { id: string; revision: string }[],
): Promise<SearchableContent> {
  const { db } = tools
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
    const ids = await listHidden(tools, revision, projectionOf.get(spaceId))
    hidden.push(...ids.map(pageId => ({ spaceId, pageId })))
  }
  return { spaces: new Set(current.map(({ spaceId }) => spaceId)), hidden, current }
}

async function listHidden(
  tools: ReaderTools,
  revision: RevisionRow,
  projection: MainProjectionRow | undefined,
): Promise<string[]> {
  const isCurrent = projection?.revision === revision.id
  // Trees without conditions need not be read: everybody sees all of them.
  if (!projection || (isCurrent && !projection.hasConditions)) return []
  const visible = await visiblePages(tools, revision)
  const before = isCurrent ? undefined : await revisions.find(tools.db, projection.revision ?? '')
  const projectedPages = await loadShownPages(tools.db, before ?? revision)
  return projectedPages.inOrder().flatMap(({ id }) => (isSame(id, projectedPages, visible) ? [] : [id]))
}

/** Whether a page is visible, and still as it was projected. */
function isSame(id: string, projectedPages: PageIndex, visible: PageIndex): boolean {
  const before = projectedPages.get(id)
  const now = visible.get(id)
  return (
    now !== undefined &&
    (before === now || searchFingerprint(before, projectedPages) === searchFingerprint(now, visible))
  )
}

/** Serialises the searchable fields of a page, so that two versions can be compared. */
function searchFingerprint(page: PageRecord | undefined, index: PageIndex): string | undefined {
  return page && JSON.stringify([page.type, page.title, page.description, page.document, index.pathOf(page.id)])
}
