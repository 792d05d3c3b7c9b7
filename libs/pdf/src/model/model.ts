import type { JSONDocument } from '@recto/markdown/schema'

/** The target of a document's reference: a page of the book or a URL, and its title. */
export interface Target {
  /** The id of a page of the book. */
  page?: string
  anchor?: string
  url?: string
  title?: string
  /** A file whose bytes the source has. */
  file?: TargetFile
}

/** A file that a document names. */
export interface TargetFile {
  id: string
  name: string
  contentType: string
  size: number
}

/** An entry of the book: a page with a text, or a group, which has a title only. */
export interface BookPage {
  id: string
  title: string
  /** 0 for entries at the root. */
  depth: number
  isGroup?: boolean
}

/** The content of a PDF without its texts. */
export interface Book {
  title: string
  /** The line below the title. */
  subtitle?: string
  /** The time of the content; the PDF has no other, so that the same content makes the same bytes. */
  date: Date
  pages: BookPage[]
  limits: BookLimits
  /** Font files besides the installed ones, as `path` or `path#name` of a font of a collection. */
  fonts?: string[]
}

/** Bounds of a PDF. */
export interface BookLimits {
  /** Sheets. */
  maxSheets: number
  /** Bytes of one image, and of all of them. */
  maxImageBytes: number
  maxTotalImageBytes: number
}

/** The text of a page, with what its references lead to, under `refKey` of each. */
export interface PageContent {
  document: JSONDocument
  targets: Record<string, Target>
  description?: string
  /** The labels of its tags. */
  tags?: string[]
  /** The condition under which visitors see the page. */
  condition?: string
}

/** Where the texts and files of a book come from; they are asked for one after another. */
export interface BookSource {
  page(id: string): Promise<PageContent>
  /** Undefined for a file that is not there. */
  file(id: string): Promise<Uint8Array | undefined>
}

/** The result of making a book. */
export interface BookResult {
  sheets: number
  /** Characters that no font has. */
  missing: string[]
}

/** The layout that this code makes; PDFs of another are made again. */
export const layoutVersion = 3

/** The key of a reference in `PageContent.targets`. */
export function refKey(ref: unknown): string {
  return JSON.stringify(ref)
}

/** The key of an operation of a specification in `PageContent.targets`, which has its title. */
export function operationKey(spec: string, method: string, name: string): string {
  return `operation ${spec} ${method.toLowerCase()} ${name}`
}

/** The name of the destination of a page, or of an anchor on it. */
export function destinationOf(page: string, anchor?: string): string {
  return anchor === undefined || anchor === '' ? `page:${page}` : `page:${page}#${anchor}`
}

/** A book that cannot be made within its limits; its message says which. */
export class BookFailure extends Error {
  override readonly name = 'BookFailure'
}
