import { slugOfTitle } from '@recto/repository-format'
import { folderBelow, joinPath } from '../pages/repository-files.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { Batch, ChangeOf, Outcome, Step } from './batch.ts'
import { changeFault } from './change-fault.ts'
import { pageText, withSettings, type PageText } from '../pages/page-text.ts'
import { parentPage, requireFreeSlug } from './place-page.ts'
import { coverOf } from '../pages/page-cover.ts'

type Insert = ChangeOf<'insert_page'>
const untitled = 'Untitled'

/** Inserts a page, a group or a link. */
export function insertPage(change: Insert, step: Step): Outcome {
  const { batch, at } = step
  checkType(change, at)
  const parent = parentPage(change.into, change.type, step)
  const text = change.type === 'document' ? textOf(change, at) : undefined
  const title = change.title ?? text?.title ?? untitled
  const id = batch.newId()
  const parentId = parent?.id ?? null
  const slug = change.slug ?? slugOfTitle(title)
  const record: PageRecord = {
    id,
    type: change.type,
    title,
    parent: parentId,
    order: batch.pages.orderAt({ parent: parentId, at: change.at }),
    ...(change.type !== 'link' && {
      slug: change.slug ? requireFreeSlug(slug, parentId, { step }) : batch.pages.freeSlug(slug, parentId),
    }),
    ...(change.emoji && { emoji: change.emoji }),
    ...(change.href !== undefined && { href: change.href }),
    createdAt: batch.now,
    updatedAt: batch.now,
  }
  batch.pages.set(text ? documentRecord(record, { text, parent, batch }) : withoutText(record, change))
  // Settings live in the page's file, so a page with settings always has a text.
  if (text && (text.markdown !== '' || (change.document && !isEmpty(change.document))))
    batch.texts.set(id, { markdown: text.markdown, document: change.document?.document })
  if (change.ref !== undefined) batch.refs.set(change.ref, { kind: 'page', id })
  return { operation: change.operation, page: id, ...(change.ref !== undefined && { ref: change.ref }) }
}

function checkType({ type, document, href, description, metaLinks }: Insert, at: number): void {
  if (type !== 'document' && document) throw changeFault(at, 'document', `must be left out for a ${type}`)
  if (type !== 'document' && description) throw changeFault(at, 'description', `must be left out for a ${type}`)
  if (type !== 'document' && metaLinks) throw changeFault(at, 'metaLinks', `must be left out for a ${type}`)
  if (type !== 'link' && href !== undefined) throw changeFault(at, 'href', 'is for pages of type link only')
  if (type === 'link' && href === undefined) throw changeFault(at, 'href', 'is required for a page of type link')
}

function textOf(change: Insert, at: number): PageText {
  const { metaLinks: _metaLinks, ...settings } = change
  const text = pageText(undefined, { markdown: change.document?.markdown ?? '', settings })
  const [fault] = text.faults
  if (fault !== undefined) throw changeFault(at, 'document.markdown', fault)
  return text
}

const isEmpty = ({ markdown, document }: NonNullable<Insert['document']>) =>
  markdown === undefined && document === undefined

function documentRecord(
  record: PageRecord,
  { text, parent, batch }: { text: PageText; parent: PageRecord | null; batch: Batch },
): PageRecord {
  const folder = folderBelow(parent ?? undefined, batch.root)
  const file = batch.pages.freeFile(joinPath(folder, `${record.slug ?? 'page'}.md`))
  const recordWithFile = { ...withSettings(record, text), file }
  const cover = coverOf(text.cover, recordWithFile, batch)
  return cover ? { ...recordWithFile, cover } : recordWithFile
}

/** Groups and links have no file that could hold their settings. */
function withoutText(record: PageRecord, change: Insert): PageRecord {
  const { linkTitle, icon, hidden, noIndex, noRobotsIndex, condition } = change
  return {
    ...record,
    ...(linkTitle && { linkTitle }),
    ...(icon && { icon }),
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(condition && { condition }),
  }
}
