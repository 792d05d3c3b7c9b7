import type { Actor } from '@recto/actor'
import type { Db } from '@recto/database'
import { loadShownPages } from '../../pages/shown-pages.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { findProjections } from '../projection/main-projections.repository.ts'
import { visiblePages } from './visible-pages.ts'

/** A page that an actor must not see. */
export interface HiddenPage {
  spaceId: string
  pageId: string
}

/**
 * The pages of spaces that a visitor must not find in what is projected of main content: those that are hidden in the projected
 * revision, or in the one that main content is by now. Only trees with conditions are read. The caller reads the projections in the
 * same snapshot.
 */
export async function hiddenPages(
  asking: { db: Db; actor: Actor },
  spaces: readonly { id: string; revision: string }[],
): Promise<HiddenPage[]> {
  const { db } = asking
  const current = new Map(spaces.map(({ id, revision }) => [id, revision]))
  const projections = await findProjections(db, [...current.keys()])
  const ids = projections.flatMap(({ spaceId, revision, hasConditions }) => {
    const now = current.get(spaceId)
    return [...(hasConditions && revision !== null ? [revision] : []), ...(now && now !== revision ? [now] : [])]
  })
  const hidden: HiddenPage[] = []
  for (const revision of ids.length === 0 ? [] : await revisions.findAll(db, ids)) {
    const all = await loadShownPages(db, revision)
    const visible = await visiblePages(asking, revision)
    if (all === visible) continue
    for (const { id } of all.inOrder()) if (!visible.get(id)) hidden.push({ spaceId: revision.spaceId, pageId: id })
  }
  return hidden
}
