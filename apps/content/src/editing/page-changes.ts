import { splitPage } from '@recto/markdown'
import { slugOfTitle } from '@recto/repository-format'
import { pageFile } from '../pages/repository-files.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { Batch, ChangeOf, FormerPage, NewText, Outcome, Step } from './batch.ts'
import { changeConflict, changeFault } from './change-fault.ts'
import { coverOf } from '../pages/page-cover.ts'
import { writtenMetaLinks } from './meta-links.ts'
import { pageText, textWithSettings, withSettings, type PageText } from '../pages/page-text.ts'
import { requirePage, parentPage, requireFreeSlug, requireNoCycle } from './place-page.ts'

type Update = ChangeOf<'update_page'>

/** Changes a page: fields that are left out stay, null removes. */
export function updatePage(change: Update, step: Step): Outcome {
  const { batch } = step
  const before = requirePage(change.page, 'page', step)
  checkFields(change, before, step.at)
  const textRecord = before.type === 'document' ? withText(before, change, step) : withoutText(before, change)
  const titledRecord = { ...textRecord, ...(change.title !== undefined && { title: change.title }) }
  const emojiRecord = change.emoji === undefined ? titledRecord : withEmoji(titledRecord, change.emoji)
  const movedRecord = withPlace(emojiRecord, change, step)
  batch.pages.set({ ...withSlug(before, movedRecord, { change, step }), updatedAt: batch.now })
  return { operation: change.operation, page: before.id }
}

function checkFields({ document, href, description, metaLinks }: Update, { type }: PageRecord, at: number): void {
  if (type !== 'document' && document) throw changeFault(at, 'document', `must be left out for a ${type} page`)
  if (type !== 'link' && href !== undefined) throw changeFault(at, 'href', 'is for pages of type link only')
  if (type !== 'document' && description) throw changeFault(at, 'description', `must be left out for a ${type} page`)
  if (type !== 'document' && metaLinks) throw changeFault(at, 'metaLinks', `must be left out for a ${type} page`)
}

// prettier-ignore
const settings = [
  'linkTitle', 'description', 'icon', 'hidden', 'noIndex', 'noRobotsIndex', 'condition', 'metaLinks',
] as const

/** Sets the new text of a page when the change has one, or has settings or a title, which live in the text. */
function withText(before: PageRecord, change: Update, step: Step): PageRecord {
  const { batch, at } = step
  const isNewTitle = change.title !== undefined && change.title !== before.title
  if (!change.document && !isNewTitle && settings.every(name => change[name] === undefined)) return before
  if (!change.document) requireUtf8(before, { batch, at })
  const old = currentText(before, batch)
  const base = textWithSettings(old?.markdown, before)
  // A document replaces the text at the end of the batch, and an empty one leaves none.
  const newMarkdown = change.document && (change.document.markdown ?? '')
  const metaLinks = writtenMetaLinks(change.metaLinks, before, step)
  const text = pageText(base.markdown, { markdown: newMarkdown, settings: { ...change, metaLinks } })
  const [fault] = text.faults
  if (fault !== undefined && change.document?.markdown !== undefined) throw changeFault(at, 'document.markdown', fault)
  if (text.unwritable !== undefined)
    throw changeConflict(at, 'page', `has settings that cannot be changed: ${text.unwritable}`)
  const markdown = renameHeading(text, { before, title: change.title })
  const document = (change.document ?? old)?.document
  batch.texts.set(before.id, markdown === '' && !document ? null : { markdown, document })
  const unwritable = change.document?.markdown === undefined ? base.unwritable : {}
  const { cover: _before, ...record } = withSettings(before, { settings: { ...text.settings, ...unwritable } })
  const cover = coverOf(text.cover, before, batch)
  return cover ? { ...record, cover } : record
}

/** Refuses a change that keeps a text which is not UTF-8: writing it back would lose the bytes that cannot be read. */
function requireUtf8({ id, document }: PageRecord, { batch, at }: Pick<Step, 'batch' | 'at'>): void {
  if (document === undefined || batch.texts.has(id) || !batch.notUtf8.has(document)) return
  throw changeConflict(at, 'page', 'has a text that is not UTF-8: give its whole document, too')
}

/** Renames the first heading of the text when it is the old title of the page; a heading is one line. */
function renameHeading(
  { markdown }: PageText,
  { before, title }: { before: PageRecord; title: string | undefined },
): string {
  if (title === undefined || title === before.title) return markdown
  const { body, bodyOffset } = splitPage(markdown)
  const heading = /^(\s*#[ \t]+)([^\r\n]*?)(?=[ \t]*(?:\r?\n|$))/.exec(body)
  if (heading?.[2] !== before.title) return markdown
  const start = bodyOffset + (heading[1]?.length ?? 0)
  return `${markdown.slice(0, start)}${title.replace(/\s+/g, ' ')}${markdown.slice(start + before.title.length)}`
}

/** The text of a page as it is in the batch so far; undefined for an empty page. */
function currentText(page: PageRecord, { texts, documents }: Pick<Batch, 'texts' | 'documents'>): NewText | undefined {
  const text = texts.get(page.id)
  if (text !== undefined) return text ?? undefined
  const markdown = page.document === undefined ? undefined : documents.get(page.document)
  return markdown === undefined ? undefined : { markdown }
}

/** Changes a group or a link, whose settings are fields of its record, since it has no text. */
function withoutText(before: PageRecord, change: Update): PageRecord {
  const record: PageRecord = { ...before }
  for (const name of ['linkTitle', 'icon', 'condition'] as const) {
    const value = change[name]
    if (value === null) delete record[name]
    else if (value !== undefined) record[name] = value
  }
  for (const flag of ['hidden', 'noIndex', 'noRobotsIndex'] as const) {
    const value = change[flag]
    if (value !== undefined) record[flag] = value
  }
  if (change.href !== undefined) record.href = change.href
  return record
}

function withEmoji({ emoji: _before, ...record }: PageRecord, emoji: string | null): PageRecord {
  return emoji === null ? record : { ...record, emoji }
}

function withPlace(record: PageRecord, { into, at }: Update, step: Step): PageRecord {
  if (into === undefined && at === undefined) return record
  const { pages } = step.batch
  const parent = into === undefined ? record.parent : (parentPage(into, record.type, step)?.id ?? null)
  requireNoCycle(record, parent === null ? null : (pages.get(parent) ?? null), step)
  return { ...record, parent, order: pages.orderAt({ parent, at }, record.id) }
}

/** A slug made of the title changes with it; one that was set by hand, or comes from a repository's file, stays while it is unique. */
function withSlug(
  before: PageRecord,
  record: PageRecord,
  { change, step }: { change: Update; step: Step },
): PageRecord {
  const { pages } = step.batch
  const { slug, parent, id } = record
  if (change.slug !== undefined) {
    if (slug === undefined) throw changeFault(step.at, 'slug', `must be left out for a ${record.type} page`)
    return { ...record, slug: requireFreeSlug(change.slug, parent, { page: id, step }) }
  }
  if (slug === undefined) return record
  const follows = !step.batch.isFromRepository && followsTitle(slug, before.title)
  const newSlug = follows && record.title !== before.title ? slugOfTitle(record.title) : slug
  if (newSlug === before.slug && parent === before.parent) return record
  return { ...record, slug: pages.freeSlug(newSlug, parent, id) }
}

function followsTitle(slug: string, title: string): boolean {
  const base = slugOfTitle(title)
  return slug === base || (slug.startsWith(`${base}-`) && /^-\d+$/.test(slug.slice(base.length)))
}

/** Deletes a page and all pages below it. */
export function deletePage(change: ChangeOf<'delete_page'>, step: Step): Outcome {
  const { id } = requirePage(change.page, 'page', step)
  const deletedPages = step.batch.pages.delete(id)
  for (const pageId of deletedPages) step.batch.texts.delete(pageId)
  return { operation: change.operation, deletedPages }
}

/**
 * Gives a page the content and the settings that it had in a revision; a deleted page returns to its parent, or to the root, and one that
 * was added is removed. With blocks, only those blocks of its text are reverted.
 */
export function revertPage(change: ChangeOf<'revert_page'>, step: Step): Outcome {
  const { page, operation } = change
  const { batch, at } = step
  if (change.block) return revertText(change, step)
  const former = batch.reverted.get(at)
  const formerPage = former?.page
  const currentPage = batch.pages.get(page)
  if (!formerPage) {
    if (!currentPage || !former) throw changeConflict(at, 'page', 'is not a page of that revision')
    return removeAdded(currentPage, former, { operation, batch })
  }
  batch.texts.delete(page)
  batch.pages.set({
    ...(currentPage ? restoreRecord(formerPage, currentPage) : reinsertRecord(formerPage, batch)),
    updatedAt: batch.now,
  })
  return { operation, page }
}

/** Takes over the text whose blocks were reverted before the lock; throws `conflict` when the page has got another text since. */
function revertText({ page, operation }: ChangeOf<'revert_page'>, { batch, at }: Step): Outcome {
  const currentPage = batch.pages.get(page)
  const reverted = batch.revertedTexts.get(at)
  if (!currentPage || !reverted || batch.texts.has(page) || currentPage.document !== reverted.from)
    throw changeConflict(at, 'page', 'has another text by now')
  const { markdown } = reverted
  batch.texts.set(page, markdown === '' ? null : { markdown })
  batch.pages.set({ ...currentPage, updatedAt: batch.now })
  return { operation, page }
}

/** Removes a page that the revision does not have; pages below it that the revision has move up. */
function removeAdded(
  { id, parent }: PageRecord,
  former: FormerPage,
  { operation, batch }: { operation: Outcome['operation']; batch: Batch },
): Outcome {
  const { pages } = batch
  // The subpages of a page that stays go with it, so that it keeps the settings it inherits.
  const staying = new Set<string>()
  for (const pageId of pages.subtree(id)) {
    const record = pages.get(pageId)
    if (!record) continue
    if (record.parent !== null && staying.has(record.parent)) {
      staying.add(pageId)
      continue
    }
    if (!former.hasPage(pageId)) continue
    staying.add(pageId)
    const slug = record.slug !== undefined && { slug: pages.freeSlug(record.slug, parent, pageId) }
    pages.set({ ...record, ...slug, parent, order: pages.orderAt({ parent }, pageId) })
  }
  const deletedPages = pages.delete(id)
  for (const pageId of deletedPages) batch.texts.delete(pageId)
  return { operation, deletedPages }
}

/** Reverts a page that still exists, which keeps its place, its slug and its file. */
function restoreRecord(old: PageRecord, now: PageRecord): PageRecord {
  const { git: _git, file: _file, slug: _slug, ...content } = old
  const file = pageFile(now)
  const isSameFile = now.git !== undefined && now.document === old.document
  return {
    ...content,
    parent: now.parent,
    order: now.order,
    ...(now.slug !== undefined && { slug: now.slug }),
    ...(isSameFile && now.git ? { git: now.git } : file !== undefined && { file }),
  }
}

/** Reverts a deleted page, below its former parent when that still exists, else at the root. */
function reinsertRecord(old: PageRecord, { pages }: Batch): PageRecord {
  const { git: _git, file: _file, ...content } = old
  const parent = old.parent !== null && pages.get(old.parent) ? old.parent : null
  const formerFile = pageFile(old)
  const file = formerFile === undefined ? undefined : pages.freeFile(formerFile)
  return {
    ...content,
    parent,
    order: pages.orderAt({ parent }),
    ...(old.slug !== undefined && { slug: pages.freeSlug(old.slug, parent) }),
    ...(old.git && file === old.git.path ? { git: old.git } : file !== undefined && { file }),
  }
}
