import { createHash } from 'node:crypto'
import { pageFile } from '../../pages/repository-files.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
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
export function finishBatch({ pages, texts }: Pick<Batch, 'pages' | 'texts'>): NewDocument[] {
  const documents: NewDocument[] = []
  for (const [id, text] of texts) {
    const record = pages.get(id)
    if (!record) continue
    const bytes = text === null ? undefined : Buffer.from(text)
    const hash = bytes && createHash('sha256').update(bytes).digest('hex')
    if (hash === record.document) continue
    if (bytes && hash) documents.push({ hash, bytes })
    pages.set(withDocument(record, hash))
  }
  return documents
}

function withDocument({ document: _document, git, ...record }: PageRecord, document: string | undefined): PageRecord {
  const file = pageFile({ ...record, ...(git && { git }) })
  return { ...record, ...(document !== undefined && { document }), ...(file !== undefined && { file }) }
}
