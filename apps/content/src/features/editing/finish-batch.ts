import { createHash } from 'node:crypto'
import { documentSchemaVersion, toMarkdown } from '@recto/markdown'
import { pageFile } from '../../pages/repository-files.ts'
import type { TargetContext } from '../../pages/write-target.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import { batchTarget, withBatchTargets } from './batch-targets.ts'
import type { Batch } from './batch.ts'

/** A document to be stored. */
export interface NewDocument {
  hash: string
  bytes: Buffer
}

/**
 * Gives the pages of a batch the hashes of their new texts, and returns the documents to store. A page whose text differs from that of
 * its repository keeps the path of its file, and has no object of the repository any more.
 */
export function finishBatch(batch: Batch, place: Pick<TargetContext, 'spaceId' | 'publicUrl'>): NewDocument[] {
  const { pages, texts } = batch
  const documents: NewDocument[] = []
  for (const [id, text] of texts) {
    const record = pages.get(id)
    if (!record) continue
    const bytes = text === null ? undefined : Buffer.from(finalText(record, text, { batch, place }))
    const hash = bytes && createHash('sha256').update(bytes).digest('hex')
    if (hash === record.document) continue
    if (bytes && hash) documents.push({ hash, bytes })
    pages.set(withDocument(record, hash))
  }
  return documents
}

/** The text of a page with its document written, and with the names of the batch replaced by targets. */
function finalText(
  record: PageRecord,
  text: string,
  { batch, place }: { batch: Batch; place: Pick<TargetContext, 'spaceId' | 'publicUrl'> },
): string {
  const context: TargetContext = {
    ...place,
    file: pageFile(record) ?? '',
    page: id => batch.pages.get(id),
    fileById: id => batch.files.get(id),
    reusable: id => batch.reusable.get(id),
  }
  const document = batch.written.get(record.id)
  if (!document) return withBatchTargets(text, context, batch)
  const body = toMarkdown(
    { ...document, data: { schemaVersion: documentSchemaVersion } },
    { target: ref => batchTarget(ref, context, batch) },
  )
  return text === '' || /\n\r?\n$/.test(text) ? text + body : `${text}\n${body}`
}

function withDocument({ document: _document, git, ...record }: PageRecord, document: string | undefined): PageRecord {
  const file = pageFile({ ...record, ...(git && { git }) })
  return { ...record, ...(document !== undefined && { document }), ...(file !== undefined && { file }) }
}
