import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { toDocument } from '@recto/markdown'
import { readPdf, type ReadPdf } from '@recto/testing'
import { makeBook } from '../book/make-book.ts'
import { refKey, type Book, type BookResult, type PageContent, type Target } from '../model/model.ts'

/** Pages by id as Markdown, whose links name ids of pages and names of files. */
export interface TestBook {
  pages: Record<string, string>
  files?: Record<string, Uint8Array>
  title?: string
  limits?: Partial<Book['limits']>
  fonts?: string[]
  /** Titles and depths of pages, where they are not their ids and 0. */
  entries?: Record<string, { title?: string; depth?: number; isGroup?: boolean }>
}

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', svg: 'image/svg+xml', gif: 'image/gif' }

/** Makes a PDF in this thread, and reads it. */
export async function printed(
  testBook: TestBook,
): Promise<{ pdf: ReadPdf; bytes: Buffer; result: BookResult; text: string }> {
  const { pages, files = {}, title = 'A book', limits, fonts = [], entries = {} } = testBook
  const output = new PassThrough()
  const read = buffer(output)
  const book: Book = {
    title,
    date: new Date('2026-01-02'),
    pages: Object.keys(pages).map(id => ({ id, title: id, depth: 0, ...entries[id] })),
    fonts,
    limits: { maxSheets: 10_000, maxImageBytes: 5_000_000, maxTotalImageBytes: 20_000_000, ...limits },
  }
  const result = await makeBook(
    book,
    { page: async id => contentOf(id, testBook), file: async name => files[name] },
    output,
  )
  const bytes = await read
  const pdf = await readPdf(bytes)
  return { pdf, bytes, result, text: pdf.sheets.map(sheet => sheet.text).join('\n') }
}

function contentOf(id: string, { pages, files = {} }: TestBook): PageContent {
  const targets: Record<string, Target> = {}
  const document = toDocument(pages[id] ?? '', {
    title: id,
    reference(target) {
      const ref = { kind: 'url' as const, url: target }
      targets[refKey(ref)] = targetOf(target)
      return ref
    },
  })
  return { document, targets }

  function targetOf(target: string): Target {
    const [page = '', anchor] = target.split('#')
    if (page in pages || page === '') return { page: page || id, title: page, ...(anchor !== undefined && { anchor }) }
    const bytes = files[target]
    const contentType = types[target.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return bytes ? { file: { id: target, name: target, size: bytes.length, contentType } } : { url: target }
  }
}
