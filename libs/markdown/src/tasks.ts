import { writtenReference } from './document/references.ts'
import type { JSONDocument } from './document/schema.ts'
import { toDocument } from './document/to-document.ts'
import { countDifference, type DifferenceCounts } from './difference/count-difference.ts'
import { diffDocuments } from './difference/diff-documents.ts'
import type { DocumentDifference } from './difference/schema.ts'
import { evaluateDocument, type Evaluation } from './evaluation/evaluate-document.ts'
import { evaluateMarkdown } from './evaluation/evaluate-markdown.ts'
import { readPageOutline, type PageOutline } from './evaluation/page-outline.ts'
import { revertBlocks } from './revert/revert-blocks.ts'
import { segmentTexts, segmentTokens, withTranslations, type TranslatedPage } from './segments/translate-segments.ts'
import { findUnwritable } from './writing/write-document.ts'
import { toMarkdown } from './writing/to-markdown.ts'
import { writePage, type ReadPage } from './writing/page-markdown.ts'

/** A page file as text, and the title of its page if it has one. */
export interface DocumentSource {
  markdown: string
  title?: string
  /** Evaluates the expressions; without it, they stay. */
  evaluation?: Evaluation
}

/** Reads the outline of a page file. */
export function outline({ markdown }: { markdown: string }): PageOutline {
  return readPageOutline(markdown)
}

/** Reads the outlines of several page files, so that short ones do not wait for their turn one by one. */
export function outlines({ markdown }: { markdown: string[] }): PageOutline[] {
  return markdown.map(readPageOutline)
}

/** Reads a page file as a document whose references say what was written; see `withReferences`. */
export function document({ markdown, title, evaluation }: DocumentSource): JSONDocument {
  const read = toDocument(markdown, { reference: writtenReference, ...(title !== undefined && { title }) })
  return evaluation ? evaluateDocument(read, evaluation) : read
}

/** Evaluates the expressions of a page file. */
export function evaluatedMarkdown({ markdown, evaluation }: { markdown: string; evaluation: Evaluation }): string {
  return evaluateMarkdown(markdown, evaluation)
}

/** Finds the place of a document that Markdown cannot keep; see `findUnwritable`. */
export function unwritable({ document }: { document: Pick<JSONDocument, 'nodes'> }): string | undefined {
  return findUnwritable(document)
}

/** Writes a page as those read it who do not edit it. */
export function readMarkdown(page: ReadPage): string {
  return writePage(page)
}

/** Writes a document whose references are targets as Markdown has them, of the kind `url`. */
export function writtenMarkdown({ document }: { document: JSONDocument }): string {
  return toMarkdown(document, { target: ref => (ref.kind === 'url' ? ref.url : '') })
}

export { revertBlocks }

/** Reads the texts of a page file that can be translated; undefined when it is not parsed. */
export function segments({ markdown }: { markdown: string }): string[] | undefined {
  return segmentTexts(markdown)
}

/** Writes translations of those texts into the page file. */
export function translated(page: { markdown: string; replies: (string | undefined)[] }): TranslatedPage {
  return withTranslations(page.markdown, page.replies)
}

/** Splits page files into what stands between texts, and texts, in turns. */
export function tokens({ markdown }: { markdown: string[] }): string[][] {
  return markdown.map(segmentTokens)
}

/** Finds the difference of two documents, and counts what it inserts and deletes. */
export function difference({ before, after }: { before: JSONDocument; after: JSONDocument }): CountedDifference {
  const documentDifference = diffDocuments(before, after)
  return { difference: documentDifference, counts: countDifference(documentDifference) }
}

/** The difference of two documents with what it inserts and deletes. */
export interface CountedDifference {
  difference: DocumentDifference
  counts: DifferenceCounts
}

/** The tasks of the threads that parse Markdown. */
export interface MarkdownTasks {
  outline: typeof outline
  outlines: typeof outlines
  document: typeof document
  evaluatedMarkdown: typeof evaluatedMarkdown
  readMarkdown: typeof readMarkdown
  writtenMarkdown: typeof writtenMarkdown
  unwritable: typeof unwritable
  revertBlocks: typeof revertBlocks
  segments: typeof segments
  translated: typeof translated
  tokens: typeof tokens
  difference: typeof difference
}
