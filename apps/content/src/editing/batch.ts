import type { ContentChange } from '@recto/contracts-content'
import type { z } from 'zod'
import type { PageDraft } from '../pages/page-draft.ts'
import type { FileDraft } from '../pages/file-draft.ts'
import type { TargetContext } from '../pages/write-target.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'

/** A change of a batch. */
export type Change = z.output<typeof ContentChange>
/** The document in the request of a change. */
export type WrittenDocument = NonNullable<NonNullable<ChangeOf<'insert_page'>['document']>['document']>
/** A change of one operation. */
export type ChangeOf<Operation extends Change['operation']> = Extract<Change, { operation: Operation }>

/** The result of a change, by ids. */
export interface Outcome {
  operation: Change['operation']
  ref?: string
  page?: string
  deletedPages?: string[]
  files?: string[]
}

/** The text that a batch gives a page. */
export interface NewText {
  /** The whole text, or the front matter below which the document is written at the end of the batch. */
  markdown: string
  document?: WrittenDocument | undefined
}

/** The names of pages and files that a batch makes, for references within it. */
export type Refs = Map<string, { kind: 'page' | 'file'; id: string }>

/** A batch of changes in progress: the content with the changes so far, and what they need from outside. */
export interface Batch {
  pages: PageDraft
  files: FileDraft
  /** The texts of the pages that the batch has written, by page id; null for a page that became empty. */
  texts: Map<string, NewText | null>
  refs: Refs
  /** The files of changes, by the index of the change, in the order of its files. */
  uploads: ReadonlyMap<number, StoredFile[]>
  /** The Markdown that pages have before the batch, by hash. */
  documents: ReadonlyMap<string, string>
  /** The hashes of documents that are not UTF-8: decoded as text they differ from the file. */
  notUtf8: ReadonlySet<string>
  /** The states that pages are reverted to, by the index of the change. */
  reverted: ReadonlyMap<number, FormerPage>
  /** The texts of pages with reverted blocks, by the index of the change. */
  revertedTexts: ReadonlyMap<number, RevertedText>
  /** The reusable contents of the content, by id. */
  reusable: ReadonlyMap<string, ReusableRecord>
  /** The folder of the content in its repository. */
  root: string
  /** Whether the content comes from a repository, whose files give the pages their slugs. */
  isFromRepository: boolean
  /** The space, and the address of the application, which references outside of the content are written with. */
  place: Pick<TargetContext, 'spaceId' | 'publicUrl'>
  newId(): string
  /** Time of the batch, ISO 8601. */
  now: string
}

/** A change's batch, and its index in it. */
export interface Step {
  batch: Batch
  at: number
}

/** A page as it was in a revision. */
export interface FormerPage {
  /** Undefined when the revision does not have the page. */
  page: PageRecord | undefined
  /** Whether the revision has the page of this id. */
  hasPage(id: string): boolean
}

/** The text of a page with some of its blocks reverted. */
export interface RevertedText {
  /** The hash of the document whose blocks were reverted; undefined for a page without text. */
  from: string | undefined
  markdown: string
}

/** A file whose bytes are in the blob store. */
export interface StoredFile {
  name: string
  hash: string
  size: number
  contentType: string
  dimensions?: { width: number; height: number }
}
