import { isUtf8 } from 'node:buffer'
import { downloadIssuedFor } from '@recto/actor/site-version'
import type { ContentChangesResult } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import type { z } from 'zod'
import { contentTag, requireRevision } from '../revisions/content-tag.ts'
import type { ContentWriter, WritableContent } from './content-writer.ts'
import { writeChanges } from './write-revision.ts'
import { FileDraft } from '../pages/file-draft.ts'
import { PageDraft } from '../pages/page-draft.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { presentFile } from '../pages/present-page.ts'
import { cachePageIndex, loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import { documentsByHash, insertDocuments } from '../content-store/content.repository.ts'
import { affectedPages, type AffectedPage } from './affected-pages.rules.ts'
import { applyChanges } from './apply-changes.ts'
import type { Batch, Change, Outcome, StoredFile } from './batch.ts'
import { requireLinkedSpaces } from './meta-links.ts'
import { finishBatch } from './finish-batch.ts'
import { requireNamedSpecifications } from './named-specifications.ts'
import { loadFormerPages, revertTexts } from './reverted-pages.ts'
import { storeFiles } from './store-files.ts'
import { requireWritableDocuments } from './writable-documents.ts'

type Result = z.input<typeof ContentChangesResult>

/** Applies all changes to main content or a change request as one revision, or none of them. */
export async function changeContent<Params extends { spaceId: string }>(
  writer: ContentWriter<Params>,
  { params, changes }: { params: Params; changes: Change[] },
  context: Context,
): Promise<Result & { affected: AffectedPage[]; pages: PageIndex }> {
  const { build } = context
  const state = await writer.requireWritable(params, context)
  const expected = context.ifMatch()
  await requireLinkedSpaces(changes, params.spaceId, context)
  await requireNamedSpecifications(changes, { ...state, spaceId: params.spaceId }, context)
  await requireWritableDocuments(changes, context.markdown)
  const revertedTexts = await revertTexts(changes, { ...state, spaceId: params.spaceId }, context)
  const uploads = await storeFiles(changes, params.spaceId, context)
  const result = await context.transaction(async tx => {
    await lockContent(tx)
    const branch = await writer.lock(tx, params, context)
    requireRevision(branch.revision.id, { expected, build })
    await requireStored(uploads, context)
    const { publicUrl } = context
    return writeBatch(tx, branch, { changes, uploads, revertedTexts, publicUrl, createdBy: context.actor.userId })
  })
  cachePageIndex({ spaceId: params.spaceId, pagesRoot: result.pagesRoot }, result.index)
  context.setETag(contentTag(result.revision, { build, now: new Date() }))
  const { affected, index: pages } = result
  return { ...presentResult(result, { changes, spaceId: params.spaceId }, context), affected, pages }
}

/** Throws `unavailable` when a blob is gone: blobs are put before the lock, so the sweep of garbage may have freed one meanwhile. */
async function requireStored(uploads: ReadonlyMap<number, StoredFile[]>, { blobs }: Context): Promise<void> {
  for (const { hash } of [...uploads.values()].flat())
    if (!(await blobs.has(hash))) throw new Failure('unavailable', 'A file was freed meanwhile', { retryAfter: 1 })
}

interface Work {
  changes: Change[]
  uploads: ReadonlyMap<number, StoredFile[]>
  revertedTexts: Batch['revertedTexts']
  createdBy: string
  publicUrl: string
}

interface WrittenBatch {
  revision: string
  pagesRoot: string
  index: PageIndex
  batch: Batch
  outcomes: Outcome[]
  affected: AffectedPage[]
}

async function writeBatch(tx: Transaction, branch: WritableContent, work: Work): Promise<WrittenBatch> {
  const before = branch.revision
  const base = await loadPageIndex(tx, before)
  const batch = await openBatch(tx, branch, { base, work })
  const outcomes = applyChanges(work.changes, batch)
  await insertDocuments(tx, finishBatch(batch))
  const changes = batch.pages.changes()
  const pages = new Map(changes.map(({ id, after }) => [id, after]))
  const files = batch.files.changes()
  const newRevision = await writeChanges(tx, before, { pages, files, createdBy: work.createdBy })
  await branch.advance(newRevision.revision)
  const index = base.update(changes)
  const affected = affectedPages(outcomes, { before: base, after: index })
  return { ...newRevision, index, batch, outcomes, affected }
}

async function openBatch(
  tx: Transaction,
  branch: WritableContent,
  { base, work }: { base: PageIndex; work: Work },
): Promise<Batch> {
  const before = branch.revision
  const reverted = await loadFormerPages(tx, branch, work.changes)
  const updated = work.changes.map(change => (change.operation === 'update_page' ? base.get(change.page) : undefined))
  // A change may update a page that an earlier change of the batch reverts.
  const hashes = [...updated, ...Array.from(reverted.values(), ({ page }) => page)].flatMap(
    record => record?.document ?? [],
  )
  const documents = Array.from(await documentsByHash(tx, hashes))
  const reusable = await loadReusableContents(tx, before.reusableRoot)
  return {
    pages: new PageDraft(base),
    files: new FileDraft(await loadFileIndex(tx, before.filesRoot)),
    texts: new Map(),
    refs: new Map(),
    uploads: work.uploads,
    revertedTexts: work.revertedTexts,
    documents: new Map(documents.map(([hash, bytes]) => [hash, bytes.toString()])),
    notUtf8: new Set(documents.flatMap(([hash, bytes]) => (isUtf8(bytes) ? [] : [hash]))),
    reverted,
    reusable: new Map(reusable.map(record => [record.id, record])),
    root: before.configuration?.root ?? '',
    isFromRepository: before.configuration !== null,
    place: { spaceId: before.spaceId, publicUrl: work.publicUrl },
    newId: createId,
    now: new Date().toISOString(),
  }
}

function presentResult(
  { revision, index, batch, outcomes }: WrittenBatch,
  { changes, spaceId }: { changes: Change[]; spaceId: string },
  context: Context,
): Result {
  const issuedFor = downloadIssuedFor(context.actor.visitor)
  const presentation = { ...context, spaceId, issuedFor, metadata: true }
  const inserted = changes.flatMap((change, at) =>
    change.operation === 'insert_files'
      ? change.files.map(({ ref }, number) => ({ ref, id: outcomes[at]?.files?.[number] ?? '' }))
      : [],
  )
  return {
    revision,
    changes: outcomes.map(({ page, ...outcome }) => {
      const record = page === undefined ? undefined : index.get(page)
      return {
        ...outcome,
        ...(record && { page: { id: record.id, title: record.title, path: index.pathOf(record.id) } }),
      }
    }),
    insertedFiles: inserted.flatMap(({ ref, id }) => {
      const file = batch.files.get(id)
      return file ? [{ ...presentFile(file, presentation), ...(ref !== undefined && { ref }) }] : []
    }),
  }
}
