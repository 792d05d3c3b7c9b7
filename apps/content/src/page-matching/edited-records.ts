import { filePath, pageFile, reusableFile } from '../pages/repository-files.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { ContentRecords } from './import-maps.ts'
import { keepTimes } from './match-pages.ts'

/** The records of the content before, by id. */
export interface EarlierRecords {
  pages: { get(id: string): PageRecord | undefined }
  files: { get(id: string): FileRecord | undefined }
  reusable: { get(id: string): ReusableRecord | undefined }
}

type InRepository = Pick<PageRecord, 'git' | 'file'>

/**
 * Makes the records of an import what edits would have made of those before: one whose path and bytes stay keeps its git object, any other
 * has a path only, since no repository has its bytes yet. So an export writes them as it writes edits.
 */
export function asEdits(
  { pages, files, reusable }: ContentRecords,
  before: EarlierRecords,
  now: string,
): ContentRecords {
  return {
    pages: pages.map(page => {
      const {
        createdAt: _createdAt,
        updatedAt: _updatedAt,
        ...editedPage
      } = asEdit<PageRecord>(page, {
        before: before.pages.get(page.id),
        pathOf: pageFile,
        bytesOf: ({ document }) => document,
      })
      return keepTimes(editedPage, before.pages.get(page.id), now)
    }),
    files: files.map(file =>
      asEdit<FileRecord>(file, { before: before.files.get(file.id), pathOf: filePath, bytesOf: ({ hash }) => hash }),
    ),
    reusable: reusable.map(record =>
      asEdit<ReusableRecord>(record, {
        before: before.reusable.get(record.id),
        pathOf: reusableFile,
        bytesOf: ({ document }) => document,
      }),
    ),
  }
}

function asEdit<T extends InRepository>(
  record: T,
  { before, pathOf, bytesOf }: { before: T | undefined; pathOf(of: T): string | undefined; bytesOf(of: T): unknown },
): T {
  const path = pathOf(record)
  const { git: _git, file: _file, ...content } = record
  const isSame = before !== undefined && pathOf(before) === path && bytesOf(before) === bytesOf(record)
  if (!isSame) return { ...content, ...(path !== undefined && { file: path }) } as T
  return {
    ...content,
    ...(before.git && { git: before.git }),
    ...(before.file !== undefined && { file: before.file }),
  } as T
}
