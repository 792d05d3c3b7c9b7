import { documentSchemaVersion, toMarkdown } from '@recto/markdown'
import { pageFile } from '../pages/repository-files.ts'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { PageRecord } from '../revisions/records.ts'
import { batchTarget, replaceBatchTargets, targetContext } from './batch-targets.ts'
import type { Batch, NewText } from './batch.ts'

/**
 * Gives the pages of a batch the hashes of their new texts, and returns the documents to store. A page whose text differs from that of
 * its repository keeps the path of its file, and has no object of the repository any more.
 */
export function finishBatch(batch: Batch): NewDocument[] {
  const { pages, texts } = batch
  const documents: NewDocument[] = []
  for (const [id, text] of texts) {
    const record = pages.get(id)
    if (!record) continue
    const document = text === null ? undefined : newDocument(finalText(record, text, batch))
    if (document?.hash === record.document) continue
    if (document) documents.push(document)
    pages.set(withDocument(record, document?.hash))
  }
  return documents
}

/** Writes the document of a page as Markdown, or replaces the names of the batch by targets. */
function finalText(record: PageRecord, { markdown, document }: NewText, batch: Batch): string {
  const context = targetContext(record, batch)
  if (!document) return replaceBatchTargets(markdown, context, batch)
  const body = toMarkdown(
    { ...document, data: { schemaVersion: documentSchemaVersion } },
    { target: (ref, kind) => batchTarget(ref, context, { refs: batch.refs, kind }) },
  )
  return markdown === '' || /\n\r?\n$/.test(markdown) ? markdown + body : `${markdown}\n${body}`
}

function withDocument({ document: _document, git, ...record }: PageRecord, document: string | undefined): PageRecord {
  const file = pageFile({ ...record, ...(git && { git }) })
  return { ...record, ...(document !== undefined && { document }), ...(file !== undefined && { file }) }
}
