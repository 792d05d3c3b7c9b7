import { isUtf8 } from 'node:buffer'
import type { Db } from '@recto/database'
import { documentsByHash, insertDocuments } from '../content-store/content.repository.ts'
import { type NewDocument, newDocument } from '../content-store/new-document.ts'
import { batches } from '../lists/batches.ts'
import { frontMatterOfCover } from '../pages/page-cover.ts'
import { textWithSettings } from '../pages/page-text.ts'
import { pageFile } from '../pages/repository-files.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import type { KeptInText } from '../revisions/revision.entity.ts'
import { keepTimes } from './match-pages.ts'

/** Texts in memory at once; few, since a page can have megabytes. */
const textBatch = 16

/** The pages of an import, and the content that they are written for. */
interface KeptPages {
  pages: PageRecord[]
  /** By the id of a page, the settings that it keeps. */
  kept: Readonly<Record<string, KeptInText>>
  before: Pick<PageIndex, 'get'>
  files: FileRecord[]
  /** Time of the import, ISO 8601. */
  now: string
}

/**
 * Writes the settings that pages keep into their front matter, as an edit does: such a page has a text of its own, which an export writes.
 * A text that is not UTF-8, or whose front matter cannot be read, stays as it is; its page has the settings all the same.
 */
export async function writeKeptSettings(db: Db, { pages, kept, before, files, now }: KeptPages): Promise<PageRecord[]> {
  const filesById = new Map(files.map(file => [file.id, file]))
  const content = { fileById: (id: string) => filesById.get(id) }
  const writtenPages = new Map<string, PageRecord>()
  for (const batch of batches(
    pages.filter(({ id }) => kept[id]),
    textBatch,
  )) {
    const texts = await documentsByHash(
      db,
      batch.flatMap(({ document }) => document ?? []),
    )
    const documents: NewDocument[] = []
    for (const page of batch) {
      const pageWithText = withKeptText(page, texts.get(page.document ?? '') ?? Buffer.alloc(0), {
        keepsCover: kept[page.id]?.names.includes('cover') === true,
        content,
      })
      if (pageWithText.document) documents.push(pageWithText.document)
      const { createdAt: _createdAt, updatedAt: _updatedAt, ...record } = pageWithText.page
      writtenPages.set(page.id, keepTimes(record, before.get(page.id), now))
    }
    await insertDocuments(db, documents)
  }
  return pages.map(page => writtenPages.get(page.id) ?? page)
}

function withKeptText(
  page: PageRecord,
  bytes: Buffer,
  { keepsCover, content }: { keepsCover: boolean; content: { fileById(id: string): FileRecord | undefined } },
): { page: PageRecord; document?: NewDocument } {
  const { cover, ...pageWithoutCover } = page
  const file = pageFile(page) ?? ''
  const coverFields = keepsCover && cover ? frontMatterOfCover(cover, file, content) : undefined
  // The repository does not have the image of the cover any more.
  const keptPage = keepsCover && !coverFields ? pageWithoutCover : page
  if (!isUtf8(bytes)) return { page: keptPage }
  const text = bytes.toString()
  const { markdown = '' } = textWithSettings(text, keptPage, coverFields)
  if (markdown === text) return { page: keptPage }
  const document = newDocument(markdown)
  const { git: _git, ...pageWithText } = keptPage
  return { page: { ...pageWithText, file, document: document.hash }, document }
}
