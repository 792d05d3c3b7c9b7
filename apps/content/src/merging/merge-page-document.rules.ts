import type { PageCover } from '@recto/markdown'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import { pageText, settingFields, type PageText } from '../pages/page-text.ts'
import type { PageRecord } from '../revisions/records.ts'
import { type Choices, sideOf, textOf } from './choices.ts'
import type { DetectedConflict } from './conflict.ts'
import { conflictOf, fieldsOf } from './merge-record.rules.ts'
import { withKeys, type KeyConflict, type MergedPageText } from './merge-page-text.rules.ts'
import type { MergedDocuments } from './merged-documents.ts'
import { mapSides, mergedSide, type Side, type Sides } from './three-way.ts'

/** The documents of the sides of a page. */
export function documentsOn(sides: Sides<PageRecord>): Sides<string> {
  return mapSides(sides, ({ document }) => document)
}

/** Documents that both sides have changed differently, merged by key and line. */
interface DocumentMerge {
  hashes: Sides<string>
  texts: Sides<string>
  /** Undefined when a side has no document any more. */
  merged: MergedPageText | undefined
  /** The merged text when its lines do not conflict and it can be read. */
  clean: PageText | undefined
}

function mergeTexts(sides: Sides<PageRecord>, documents: MergedDocuments): DocumentMerge | undefined {
  const hashes = documentsOn(sides)
  if (mergedSide(hashes)) return undefined
  const texts = mapSides(hashes, hash => documents.text(hash))
  const isRemoved = texts.main === undefined || texts.changeRequest === undefined
  const merged = isRemoved ? undefined : documents.merge(hashes)
  const clean = merged && !merged.isConflict ? readMerged(merged.text, texts) : undefined
  return { hashes, texts, merged, clean }
}

/** A merged text; undefined when it has more faults than those of both sides: front matter that merges by line may have a key twice. */
function readMerged(markdown: string, { main = '', changeRequest = '' }: Sides<string>): PageText | undefined {
  const text = read(markdown)
  if (text.faults.length === 0) return text
  const maxFaults = Math.max(read(main).faults.length, read(changeRequest).faults.length)
  return text.faults.length <= maxFaults ? text : undefined
}

function read(markdown: string): PageText {
  return pageText(undefined, { markdown, settings: {} })
}

/** The conflicts of the lines of a document, and of the keys of its front matter. */
export function documentConflicts(
  id: string,
  sides: Sides<PageRecord>,
  documents: MergedDocuments,
): DetectedConflict[] {
  const merge = mergeTexts(sides, documents)
  if (!merge) return []
  const { texts, merged, clean } = merge
  const keys = merged?.keyConflicts.map(conflict => keyConflict(id, conflict)) ?? []
  if (clean) return keys
  const text = conflictOf({ kind: 'text', page: id, ...(merged && { merged: merged.text }) }, texts, 'side or text')
  const hasKeys = keys.length > 0 && bothSides.some(side => withBody(merge, side, documents))
  return hasKeys ? [text, ...keys] : [text]
}

const bothSides = ['main', 'changeRequest'] as const

/** Names of settings that front matter calls otherwise. */
const fieldOfKey: Record<string, string> = { if: 'condition', vars: 'variables' }

function keyConflict(id: string, { key, values }: KeyConflict): DetectedConflict {
  return conflictOf({ kind: 'field', page: id, field: fieldOfKey[key] ?? key }, values, 'side or text')
}

/** The merged front matter with the body of a side; undefined when that cannot be read. */
function withBody(
  { hashes, texts, merged }: DocumentMerge,
  side: Side,
  documents: MergedDocuments,
): MergedPageText | undefined {
  if (!merged) return undefined
  const withSide = documents.mergeWithBody(hashes, side)
  return readMerged(withSide.text, texts) && withSide
}

/** The merged document of a page. */
export interface MergedDocument {
  hash: string | undefined
  /** The text that settings and cover follow from; undefined when the document is that of a side. */
  text?: PageText
  /** Settings and cover of the side whose document is taken whole. */
  settings?: Partial<PageRecord>
  document?: NewDocument
  textFault?: string | undefined
}

/** The merged document: the text that a resolution gives, or lines and keys in conflict as the side that is taken has them. */
export function mergeDocument(
  id: string,
  sides: Sides<PageRecord>,
  { choices, documents }: { choices: Choices; documents: MergedDocuments },
): MergedDocument {
  const merge = mergeTexts(sides, documents)
  if (!merge) return wholeDocument(documentsOn(sides))
  const { hashes, merged, clean } = merge
  if (clean && merged?.keyConflicts.length === 0) return newText(clean)
  const markdown = textOf(choices, { page: id })
  if (markdown !== undefined) return resolvedDocument(markdown)
  const side = sideOf(choices, { page: id })
  const text = clean ? merged : withBody(merge, side, documents)
  if (text) return newText(read(withKeys(text.text, keysOf(side, text.keyConflicts))))
  return { hash: hashes[side], settings: fieldsOf(sides[side] as PageRecord, [...settingFields, 'cover']) }
}

function wholeDocument(hashes: Sides<string>): MergedDocument {
  return { hash: hashes[mergedSide(hashes) ?? 'main'] }
}

/** The values of a side for keys in conflict; the merged text has those of main content. */
function keysOf(side: Side, conflicts: readonly KeyConflict[]): Record<string, unknown> {
  if (side === 'main') return {}
  return Object.fromEntries(conflicts.map(({ key, values }) => [key, values.changeRequest]))
}

function newText(text: PageText): MergedDocument & { hash: string; text: PageText } {
  const document = newDocument(text.markdown)
  return { hash: document.hash, text, document }
}

/** The document of the Markdown of a resolution, unchanged. */
export /**
 * Makes the merged document from the Markdown that a resolution gives, as it is. `textFault` names the first fault of its front matter;
 * nothing is thrown.
 */
function resolvedDocument(markdown: string): MergedDocument & { hash: string; text: PageText } {
  const text = read(markdown)
  const [fault] = text.faults
  return { ...newText(text), textFault: fault === undefined ? undefined : `markdown ${fault}` }
}

/** The cover in the text of a page, null without one; undefined when the text is not known. */
export function coverIn(record: PageRecord | undefined, documents: MergedDocuments): PageCover | null | undefined {
  const markdown = record?.document === undefined ? undefined : documents.find(record.document)
  return markdown === undefined ? undefined : (read(markdown).cover ?? null)
}
