import type { BookPage } from '@recto/pdf'
import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'

/** The requested pages: one, with or without those below it, or all. */
export interface RequestedPages {
  page?: string | undefined
  only: boolean
}

/**
 * The pages of a PDF, in the order of the tree: documents, and groups with documents below them. Hidden pages are left out with the pages
 * below them, unless one is requested. Undefined when the requested page has no text or does not exist.
 */
export function pagesOfPdf(index: PageIndex, { page, only }: RequestedPages): BookPage[] | undefined {
  const below = (parent: string | null, depth: number): BookPage[] =>
    index.childrenOf(parent).flatMap(record => (record.hidden === true ? [] : entriesOf(record, depth)))
  const entriesOf = (record: PageRecord, depth: number): BookPage[] => {
    const { id, title, type } = record
    const inside = below(id, type === 'document' || type === 'group' ? depth + 1 : depth)
    if (type === 'document') return [{ id, title, depth }, ...inside]
    if (type === 'group') return inside.length > 0 ? [{ id, title, depth, isGroup: true }, ...inside] : []
    return inside
  }
  if (page === undefined) return below(null, 0)
  const record = index.get(page)
  if (!record || (record.type !== 'document' && record.type !== 'group')) return undefined
  if (only) return record.type === 'document' ? [{ id: page, title: record.title, depth: 0 }] : undefined
  return entriesOf(record, 0)
}
