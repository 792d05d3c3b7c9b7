import { isTreeDifference, type MainChange, removedPages, rewrittenPages } from '../projection/main-change.ts'
import type { Projector } from '../projection/project-main.ts'
import type { OutlinedPage } from '../projection/rewritten-texts.ts'
import type { PageRecord } from '../revisions/records.ts'
import { indexOutline, namedPage, placesOf } from './index-page.ts'
import * as index from './search-index.repository.ts'
import * as vocabulary from './vocabulary.repository.ts'
import { batches } from '../lists/batches.ts'

/** Pages, or words, that one statement writes: each must end within the statement timeout. */
const batch = 500
/** Changed pages after which the index is readied for searches at once. */
const prepareThreshold = 1_000

/** Brings the search index to main content: writes changed pages, and the names of pages that a change of the tree affects. */
export const projectSearch: Projector = (db, change) => {
  const { spaceId } = change
  const removedIds = removedPages(change)
  const rewrittenIds = new Set(rewrittenPages(change).map(({ id }) => id))
  const pagesToRename = renamedPages(change, rewrittenIds)
  const pages = [...removedIds, ...rewrittenIds, ...pagesToRename.map(({ id }) => id)]
  const places = placesOf(change.after)
  const withNames = (record: PageRecord) =>
    namedPage(spaceId, record, places.get(record.id) ?? { path: '', parent: null, noIndex: false })
  const toIndexedPage = ({ page, outline }: OutlinedPage): index.IndexedPage => ({
    ...withNames(page),
    ...(outline ? indexOutline(page.id, outline) : { textTokens: '', sections: [] }),
    isConditional: outline?.parts !== undefined,
  })
  const unusedWords = new Set<string>()
  /** Pages whose words are not counted yet. */
  let uncountedIds = pagesToRename.map(({ id }) => id)
  const count = async (ids: string[]) => {
    for (const some of batches(ids, batch)) await vocabulary.addUses(db, spaceId, some)
  }
  return {
    async begin() {
      if (change.isFirst) await index.deleteSpace(db, spaceId)
      for (const some of batches(pages, batch))
        for (const word of await vocabulary.removeUses(db, spaceId, some)) unusedWords.add(word)
      for (const some of batches(removedIds, batch)) await index.deletePages(db, spaceId, some)
      for (const some of batches(pagesToRename, batch)) await index.saveNames(db, spaceId, some.map(withNames))
    },
    async write({ pages: texts }) {
      for (const some of batches(texts, batch)) await index.savePages(db, spaceId, some.map(toIndexedPage))
      uncountedIds.push(...texts.map(({ page }) => page.id))
      if (uncountedIds.length < batch) return
      // The words are counted here and not at the end, while the next pages are parsed.
      await count(uncountedIds)
      uncountedIds = []
    },
    async finish() {
      await count(uncountedIds)
      for (const some of batches([...unusedWords], batch)) await vocabulary.deleteUnused(db, spaceId, some)
      if (rewrittenIds.size >= prepareThreshold) await index.flushIndex(db)
    },
  }
}

/** Pages that keep their text, and whose title, description or place in the tree changed. */
function renamedPages({ before, after, pages, isTreeChanged }: MainChange, rewritten: Set<string>): PageRecord[] {
  const changedIds = new Set(
    pages.flatMap(difference => {
      const { before: from, after: to } = difference
      const isRenamed = from?.title !== to?.title || from?.description !== to?.description
      return isRenamed || isTreeDifference(difference) ? [difference.id] : []
    }),
  )
  if (isTreeChanged) {
    const old = placesOf(before)
    const current = placesOf(after)
    for (const [id, { path, parent, noIndex }] of current) {
      const previous = old.get(id)
      if (!previous) continue
      const isMoved = previous.path !== path || previous.parent !== parent
      if (isMoved || previous.noIndex !== noIndex) changedIds.add(id)
    }
  }
  const records = [...changedIds].map(id => after.get(id)).filter(record => record !== undefined)
  return records.filter(({ id }) => !rewritten.has(id))
}
