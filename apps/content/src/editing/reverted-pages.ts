import { isUtf8 } from 'node:buffer'
import type { Db } from '@recto/database'
import type { TitledPage } from '@recto/markdown'
import type { ContentHead, WritableContent } from './content-writer.ts'
import { orFallback } from '../documents/parse-once.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import { documentBytes } from '../content-store/content.repository.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { Change, ChangeOf, FormerPage, RevertedText } from './batch.ts'
import { changeConflict, changeFault } from './change-fault.ts'

type Revert = ChangeOf<'revert_page'>

/** Loads the former states of reverted pages, by the index of the change; throws `conflict` for a revision of another space. */
export async function loadFormerPages(
  db: Db,
  { spaceId, base }: Pick<WritableContent, 'spaceId' | 'base'>,
  changes: readonly Change[],
): Promise<Map<number, FormerPage>> {
  const pages = new Map<number, FormerPage>()
  for (const [at, change] of changes.entries()) {
    if (change.operation !== 'revert_page') continue
    const index = await loadPageIndex(db, await formerRevision(db, change, { spaceId, base, at }))
    pages.set(at, { page: index.get(change.page), hasPage: id => index.get(id) !== undefined })
  }
  return pages
}

async function formerRevision(
  db: Db,
  { revision: revisionId }: Revert,
  { spaceId, base, at }: Pick<WritableContent, 'spaceId' | 'base'> & { at: number },
): Promise<RevisionRow> {
  const id = revisionId ?? base
  if (id === undefined) throw changeFault(at, 'revision', 'must be given for main content')
  const revision = await revisions.find(db, id)
  if (revision?.spaceId !== spaceId) throw changeConflict(at, 'revision', 'is not a revision of the space')
  return revision
}

/**
 * Reverts blocks in the texts of pages, by the index of the change. Pages are parsed before anything is locked. Throws `conflict`, with its
 * field, for a page without text of its own, a block that neither text has, and a result that Markdown cannot express.
 */
export async function revertTexts(
  changes: readonly Change[],
  branch: ContentHead & { spaceId: string },
  context: Context,
): Promise<Map<number, RevertedText>> {
  const texts = new Map<number, RevertedText>()
  for (const [at, change] of changes.entries())
    if (change.operation === 'revert_page' && change.block)
      texts.set(at, await revertText({ ...change, block: change.block }, { at, branch }, context))
  return texts
}

async function revertText(
  change: Revert & { block: string[] },
  { at, branch }: { at: number; branch: ContentHead & { spaceId: string } },
  { db, markdown }: Context,
): Promise<RevertedText> {
  const now = (await loadPageIndex(db, await revisions.get(db, branch.revision))).get(change.page)
  const before = (await loadPageIndex(db, await formerRevision(db, change, { ...branch, at }))).get(change.page)
  if (now?.type !== 'document') throw changeConflict(at, 'page', 'is not a page with text')
  const pages = { before: await textOf(before, db), now: await textOf(now, db) }
  if (!pages.before || !pages.now) throw changeConflict(at, 'page', 'has a text that is not UTF-8: revert all of it')
  const revert = { before: pages.before, now: pages.now, keys: change.block }
  const result = await orFallback(markdown.run('revertBlocks', revert), () => ({ unwritable: true as const }))
  if ('markdown' in result) return { from: now.document, markdown: result.markdown }
  if ('unwritable' in result) throw changeConflict(at, 'block', 'cannot be reverted alone: revert all of the page')
  const number = change.block.indexOf(result.unknown)
  throw changeConflict(at, `block.${number}`, 'is not a block of the page, as it is or as it was')
}

/** Reads the text of a page, empty for a page without one; undefined when it is not UTF-8. */
async function textOf(page: PageRecord | undefined, db: Db): Promise<TitledPage | undefined> {
  const bytes = page?.document === undefined ? undefined : await documentBytes(db, page.document)
  if (bytes && !isUtf8(bytes)) return undefined
  return { markdown: bytes?.toString() ?? '', title: page?.title ?? '' }
}
