import type { Db } from '@recto/database'
import { isTreeDifference, type MainChange } from '../../branches/projection/main-change.ts'
import type { Projector } from '../../branches/projection/project-main.ts'
import { forEachOutline, type Outline } from '../../pages/outline.ts'
import { groupBy } from '../../shared/group-by.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import { indexOutline, namedPage, type NamedPage, placesOf } from './index-page.ts'
import * as index from './search-index.repository.ts'
import * as vocabulary from './vocabulary.repository.ts'

/** Pages whose rows are written by one statement. */
const batch = 500

/** Brings the search index to main content: writes the pages that changed, and of others what a change of the tree changed. */
export const projectSearch: Projector = async (db, change) => {
  const { spaceId } = change
  const removed = change.pages.flatMap(({ id, after }) => (after ? [] : [id]))
  const rewritten = change.pages.flatMap(({ before, after }) =>
    after && (!before || before.document !== after.document || before.type !== after.type) ? [after] : [],
  )
  const renamed = renamedPages(change, new Set(rewritten.map(({ id }) => id)))
  const pages = [...removed, ...[...rewritten, ...renamed].map(({ id }) => id)]
  const places = placesOf(change.after)
  const named = (record: PageRecord) =>
    namedPage(spaceId, record, places.get(record.id) ?? { path: '', noIndex: false })
  const unused = await vocabulary.removeUses(db, spaceId, pages)
  await index.deletePages(db, spaceId, removed)
  for (const some of batches(renamed)) await index.saveNames(db, spaceId, some.map(named))
  await writeTexts(db, spaceId, { rewritten, named })
  await vocabulary.addUses(db, spaceId, pages)
  await vocabulary.deleteUnused(db, spaceId, unused)
}

/** Pages that keep their text, and whose title, description or place in the tree changed. */
function renamedPages({ before, after, pages, isTreeChanged }: MainChange, rewritten: Set<string>): PageRecord[] {
  const changed = new Set(
    pages.flatMap(difference => {
      const { before: from, after: to } = difference
      const isRenamed = from?.title !== to?.title || from?.description !== to?.description
      return isRenamed || isTreeDifference(difference) ? [difference.id] : []
    }),
  )
  if (isTreeChanged) {
    const [old, current] = [placesOf(before), placesOf(after)]
    for (const [id, { path, noIndex }] of current) {
      const shown = old.get(id)
      if (shown && (shown.path !== path || shown.noIndex !== noIndex)) changed.add(id)
    }
  }
  const records = [...changed].map(id => after.get(id)).filter(record => record !== undefined)
  return records.filter(({ id }) => !rewritten.has(id))
}

interface Texts {
  rewritten: PageRecord[]
  named(record: PageRecord): NamedPage
}

async function writeTexts(db: Db, spaceId: string, { rewritten, named }: Texts): Promise<void> {
  const hasText = ({ type, document }: PageRecord) => type === 'document' && document !== undefined
  const byDocument = groupBy(rewritten.filter(hasText), ({ document }) => document ?? '')
  const empty = rewritten.filter(record => !hasText(record))
  for (const some of batches(empty))
    await index.savePages(
      db,
      spaceId,
      some.map(page => withText(named(page))),
    )
  await forEachOutline(db, byDocument.keys(), async outlines => {
    const written = [...outlines].flatMap(([hash, outline]) =>
      (byDocument.get(hash) ?? []).map(record => withText(named(record), outline)),
    )
    for (const some of batches(written)) await index.savePages(db, spaceId, some)
  })
}

function withText(page: NamedPage, outline?: Outline): index.IndexedPage {
  return { ...page, ...(outline ? indexOutline(page.pageId, outline) : { textTokens: '', sections: [] }) }
}

function* batches<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += batch) yield items.slice(at, at + batch)
}
