import { meetsAll } from '@recto/audience'
import type { Visitor } from '@recto/actor'
import type { Db } from '@recto/database'
import { dependsOn } from '@recto/expressions'
import { scopeIn } from '../audience/visible-pages.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { listConditions, listPagesWithConditions } from './search-index.repository.ts'

/** A condition on sections that does not hold for a visitor: on those of a page, or of all pages of a space where the page is empty. */
export interface UnmetCondition {
  spaceId: string
  pageId: string
  condition: string
}

/** The conditions on texts in the search index that do not hold for a visitor; `current` is main content of the spaces. */
export async function unmetConditions(
  db: Db,
  visitor: Visitor,
  current: readonly RevisionRow[],
): Promise<UnmetCondition[]> {
  const revisionOf = new Map(current.map(revision => [revision.spaceId, revision]))
  const unmet: UnmetCondition[] = []
  const ofPages: string[] = []
  for (const { spaceId, condition } of await listConditions(db, [...revisionOf.keys()])) {
    const revision = revisionOf.get(spaceId)
    if (dependsOn(condition, 'page')) ofPages.push(condition)
    else if (!revision || !meetsAll([condition], scopeIn(visitor, revision)))
      unmet.push({ spaceId, pageId: '', condition })
  }
  if (ofPages.length === 0) return unmet
  return [...unmet, ...(await unmetOnPages(db, visitor, { revisionOf, conditions: ofPages }))]
}

/** Conditions that name variables of their page are judged for each page. */
async function unmetOnPages(
  db: Db,
  visitor: Visitor,
  { revisionOf, conditions }: { revisionOf: ReadonlyMap<string, RevisionRow>; conditions: readonly string[] },
): Promise<UnmetCondition[]> {
  const unmet: UnmetCondition[] = []
  for (const place of await listPagesWithConditions(db, [...revisionOf.keys()], conditions)) {
    const revision = revisionOf.get(place.spaceId)
    const page = revision && (await loadShownPages(db, revision)).get(place.pageId)
    if (!page || !meetsAll([place.condition], scopeIn(visitor, revision), page.variables)) unmet.push(place)
  }
  return unmet
}
