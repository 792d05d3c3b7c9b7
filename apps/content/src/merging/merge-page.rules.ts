import { writeFrontMatter, type PageCover } from '@recto/markdown'
import { coverOf } from '../pages/page-cover.ts'
import { pageText, settingFields, withSettings, type PageText } from '../pages/page-text.ts'
import type { FileDraft } from '../pages/file-draft.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { Decisions } from './decisions.ts'
import {
  conflictOf,
  fieldNames,
  fieldsOf,
  isEditedRecord,
  mergeFields,
  mergeLocation,
  wholeRecord,
  type RecordMerge,
} from './merge-record.rules.ts'
import type { KeyConflict, MergedPageText } from './merge-page-text.rules.ts'
import type { MergedDocuments } from './merged-documents.ts'
import { isSame, mapSides, mergedSide, otherSide, type Side, type Sides } from './three-way.ts'

/** The input of merging the content of a page. */
export interface PageMerge {
  decisions: Decisions
  documents: MergedDocuments
  /** The merged files, which covers show. */
  files: Pick<FileDraft, 'byPath'>
  /** The place of a page that both sides moved differently. */
  movedSide(id: string): Side
}

const textFields = [...settingFields, 'cover'] as const
const ownRules = ['id', 'parent', 'order', 'document', 'git', 'file', 'createdAt', 'updatedAt']
const bound = ['document', 'target', 'href', 'computed'] as const

/** The merged record of a page, at the place that its own changes give it; undefined for a deleted one. `isDecided` when a conflict led to the deletion or to keeping it. */
export function mergePage(
  id: string,
  sides: Sides<PageRecord>,
  merge: PageMerge,
): { record: PageRecord | undefined; isDecided: boolean } {
  const { decisions } = merge
  const whole = wholeRecord(sides, { subject: { page: id }, decisions, isEdited: isEditedRecord })
  if (!whole) return { record: mergeBoth(id, sides, merge), isDecided: false }
  const markdown = whole.isDecided && whole.record ? decisions.text({ page: id }) : undefined
  if (markdown === undefined || !whole.record) return whole
  return { record: withMarkdown(whole.record, markdown, merge), isDecided: true }
}

function mergeBoth(id: string, sides: Sides<PageRecord>, merge: PageMerge): PageRecord {
  const place = placeOf(id, sides, merge)
  const times = timesOf(sides)
  const typeSide = decideType(id, sides, merge)
  const content = typeSide ? sides[typeSide] : mergeContentOf(id, sides, merge)
  return { ...(content as PageRecord), id, ...place, ...times }
}

function placeOf(id: string, sides: Sides<PageRecord>, { movedSide }: PageMerge): Pick<PageRecord, 'parent' | 'order'> {
  const places = mapSides(sides, ({ parent, order }) => ({ parent, order }))
  return places[mergedSide(places) ?? movedSide(id)] ?? { parent: null, order: '' }
}

function timesOf({ base, main, changeRequest }: Sides<PageRecord>): Pick<PageRecord, 'createdAt' | 'updatedAt'> {
  const all = [base, main, changeRequest].filter(record => record !== undefined)
  const created = all.map(({ createdAt }) => createdAt).sort()
  const updated = all.map(({ updatedAt }) => updatedAt).sort()
  return { createdAt: created[0] ?? '', updatedAt: updated.at(-1) ?? '' }
}

/** The side whose type is taken together with its content, where the types differ and the other side changed what belongs to its type. */
function decideType(id: string, sides: Sides<PageRecord>, { decisions }: PageMerge): Side | undefined {
  const types = mapSides(sides, ({ type }) => type)
  if (types.main === types.changeRequest) return undefined
  const changed = mergedSide(types)
  const other = changed && sides[otherSide(changed)]
  const { base } = sides
  if (base && other && bound.every(name => isSame(base[name], other[name]))) return undefined
  return decisions.side(conflictOf({ kind: 'field', page: id, field: 'type' }, types))
}

function mergeContentOf(id: string, sides: Sides<PageRecord>, merge: PageMerge): Omit<PageRecord, 'parent' | 'order'> {
  const record: RecordMerge = { subject: { page: id }, decisions: merge.decisions }
  const text = mergeDocument(id, sides, merge)
  const isByField = text.settings === undefined
  const fields = mergeFields(sides, fieldNames(sides, [...ownRules, ...(isByField ? [] : textFields)]), record)
  const hash = text.document
  const location = mergeLocation(sides, { ...record, hash, hashOf: ({ document }) => document })
  const merged = { ...fields, id, ...location, ...(hash !== undefined && { document: hash }) } as PageRecord
  if (!text.settings) return merged
  if (!('faults' in text.settings)) return { ...merged, ...text.settings }
  return withCover(withSettings(merged, text.settings), { text: text.settings, sides, merge })
}

interface MergedDocument {
  document: string | undefined
  /** The settings of the text; undefined when they are merged like other fields. */
  settings?: PageText | Partial<PageRecord>
}

function mergeDocument(id: string, sides: Sides<PageRecord>, { decisions, documents }: PageMerge): MergedDocument {
  const hashes = mapSides(sides, ({ document }) => document)
  const whole = mergedSide(hashes)
  if (whole) return { document: hashes[whole] }
  const texts = mapSides(hashes, hash => documents.text(hash))
  const isRemoved = texts.main === undefined || texts.changeRequest === undefined
  const merged = isRemoved ? undefined : documents.merge(hashes)
  const clean = merged && !merged.isConflict ? readMerged(merged.text, texts) : undefined
  if (clean && merged?.keyConflicts.length === 0) return settledText(clean, documents)
  const given = decisions.text({ page: id })
  if (given !== undefined) return givenText(id, given, { decisions, documents })
  const withKeys = ({ text, keyConflicts }: MergedPageText) =>
    settledText(read(writeFrontMatter(text, settleKeys(id, keyConflicts, decisions))), documents)
  if (clean && merged) return withKeys(merged)
  const side = decisions.side(conflictOf({ kind: 'text', page: id, ...(merged && { merged: merged.text }) }, texts))
  const withHead = merged && documents.mergeWithBody(hashes, side)
  if (withHead && readMerged(withHead.text, texts)) return withKeys(withHead)
  return { document: hashes[side], settings: fieldsOf(sides[side] as PageRecord, textFields) }
}

function settledText(text: PageText, documents: MergedDocuments): MergedDocument {
  return { document: documents.add(text.markdown), settings: text }
}

/** A merged text; undefined when it has more faults than those of both sides: front matter that merges by line may have a key twice. */
function readMerged(markdown: string, { main = '', changeRequest = '' }: Sides<string>): PageText | undefined {
  const text = read(markdown)
  const known = Math.max(read(main).faults.length, read(changeRequest).faults.length)
  return text.faults.length <= known ? text : undefined
}

/** The values of keys in conflict where the change request is taken; the merged text has those of main content. */
function settleKeys(id: string, conflicts: readonly KeyConflict[], decisions: Decisions): Record<string, unknown> {
  const taken = conflicts.filter(({ key, values }) => {
    const field = fieldOfKey[key] ?? key
    return decisions.side(conflictOf({ kind: 'field', page: id, field }, values)) === 'changeRequest'
  })
  return Object.fromEntries(taken.map(({ key, values }) => [key, values.changeRequest]))
}

/** Names of settings that front matter calls otherwise. */
const fieldOfKey: Record<string, string> = { if: 'condition', vars: 'variables' }

function read(markdown: string): PageText {
  return pageText(undefined, { markdown, settings: {} })
}

/** The text of a resolution, as it is. */
function givenText(id: string, markdown: string, { decisions, documents }: Pick<PageMerge, 'decisions' | 'documents'>) {
  const text = read(markdown)
  const [fault] = text.faults
  if (fault !== undefined) decisions.refuseText({ page: id }, `markdown ${fault}`)
  return { document: documents.add(markdown), settings: text }
}

function withMarkdown(record: PageRecord, markdown: string, merge: PageMerge): PageRecord {
  const { document, settings } = givenText(record.id, markdown, merge)
  const sides = { base: record, main: record, changeRequest: record }
  const place = { hash: document, hashOf: (row: PageRecord) => row.document, subject: { page: record.id } }
  const { git: _git, file: _file, ...rest } = record
  const located = { ...rest, ...mergeLocation(sides, { ...place, decisions: merge.decisions }), document }
  return withCover(withSettings(located, settings), { text: settings, sides, merge })
}

/** The page with the cover of its text: as a side has it whose text names the same images. */
function withCover(
  { cover: _cover, ...record }: PageRecord,
  { text, sides, merge }: { text: PageText; sides: Sides<PageRecord>; merge: PageMerge },
): PageRecord {
  const known = [sides.main, sides.changeRequest].find(side =>
    isSame(coverIn(side, merge.documents), text.cover ?? null),
  )
  const cover = known ? known.cover : coverOf(text.cover, record, { files: merge.files })
  return cover ? { ...record, cover } : record
}

/** The cover in the text of a page; undefined when the text is not known. */
function coverIn(record: PageRecord | undefined, documents: MergedDocuments): PageCover | null | undefined {
  const markdown = record?.document === undefined ? undefined : documents.known(record.document)
  return markdown === undefined ? undefined : (read(markdown).cover ?? null)
}
