import { coverOf } from '../pages/page-cover.ts'
import { settingFields, withSettings, type PageText } from '../pages/page-text.ts'
import type { FileDraft } from '../pages/file-draft.ts'
import type { PageRecord } from '../revisions/records.ts'
import { type Choices, sideOf, textOf } from './choices.ts'
import type { DetectedConflict } from './conflict.ts'
import {
  coverIn,
  documentConflicts,
  documentsOn,
  mergeDocument,
  resolvedDocument,
} from './merge-page-document.rules.ts'
import {
  conflictOf,
  deletionConflicts,
  fieldConflicts,
  fieldNames,
  isChangedByBoth,
  locationConflicts,
  mergeFields,
  mergeLocation,
  sideEditingDeleted,
  wholeRecord,
  type MergedRecord,
} from './merge-record.rules.ts'
import type { MergedDocuments } from './merged-documents.ts'
import { moveConflict, type PageTrees } from './move-conflict.ts'
import { isSame, mapSides, mergedSide, otherSide, type Sides } from './three-way.ts'

/** The input of merging the content of a page. */
export interface PageMerge {
  choices: Choices
  documents: MergedDocuments
  /** The merged files, which covers show. */
  files: Pick<FileDraft, 'byPath'>
}

/** The merged record of a page, at the place that its own changes give it. */
export interface MergedPage extends MergedRecord<PageRecord> {
  /** The fault of the Markdown that a resolution gives the page. */
  textFault?: string | undefined
}

const bound = ['document', 'target', 'href', 'computed'] as const
/** Fields of a page with rules of their own. */
const ownRules = ['id', 'parent', 'order', 'document', 'git', 'file', 'createdAt', 'updatedAt']
/** Fields that follow from a merged text. */
const textFields = [...settingFields, 'cover']

/** The conflicts of a page, but for those of the tree that the merged pages make. */
export function pageConflicts(
  id: string,
  sides: Sides<PageRecord>,
  { documents, trees }: { documents: MergedDocuments; trees: PageTrees },
): DetectedConflict[] {
  const subject = { page: id }
  if (!isChangedByBoth(sides)) return deletionConflicts(subject, sides)
  const places = mergedSide(placesOn(sides)) ? [] : [moveConflict(id, trees)]
  if (isTypeInConflict(sides))
    return [...places, conflictOf({ kind: 'field', ...subject, field: 'type' }, typesOn(sides))]
  return [
    ...places,
    ...documentConflicts(id, sides, documents),
    ...fieldConflicts(subject, sides, contentFields(sides)),
    ...locationConflicts(subject, sides),
  ]
}

/** The merged page, with the side that choices take in its conflicts or with the text that they give it. */
export function mergePage(id: string, sides: Sides<PageRecord>, merge: PageMerge): MergedPage {
  if (isChangedByBoth(sides)) return mergeBoth(id, sides, merge)
  const subject = { page: id }
  const record = wholeRecord(subject, sides, merge.choices)
  const markdown = sideEditingDeleted(sides) && textOf(merge.choices, subject)
  return record && markdown !== undefined ? withMarkdown(record, markdown, merge) : { record }
}

function mergeBoth(id: string, sides: Sides<PageRecord>, merge: PageMerge): MergedPage {
  const side = sideOf(merge.choices, { page: id })
  const places = placesOn(sides)
  const place = places[mergedSide(places) ?? side] ?? { parent: null, order: '' }
  const times = timesOf(sides)
  if (isTypeInConflict(sides)) return { record: { ...(sides[side] as PageRecord), id, ...place, ...times } }
  const { record, ...merged } = mergeContentOf(id, sides, merge)
  return { ...merged, record: { ...(record as PageRecord), id, ...place, ...times } }
}

function placesOn(sides: Sides<PageRecord>): Sides<Pick<PageRecord, 'parent' | 'order'>> {
  return mapSides(sides, ({ parent, order }) => ({ parent, order }))
}

function timesOf({ base, main, changeRequest }: Sides<PageRecord>): Pick<PageRecord, 'createdAt' | 'updatedAt'> {
  const records = [base, main, changeRequest].filter(record => record !== undefined)
  const creationTimes = records.map(({ createdAt }) => createdAt).sort()
  const updateTimes = records.map(({ updatedAt }) => updatedAt).sort()
  return { createdAt: creationTimes[0] ?? '', updatedAt: updateTimes.at(-1) ?? '' }
}

function typesOn(sides: Sides<PageRecord>): Sides<PageRecord['type']> {
  return mapSides(sides, ({ type }) => type)
}

/** Whether the types differ and the other side changed what belongs to its type: then a type is taken together with its content. */
function isTypeInConflict(sides: Sides<PageRecord>): boolean {
  const types = typesOn(sides)
  if (types.main === types.changeRequest) return false
  const changedSide = mergedSide(types)
  const other = changedSide && sides[otherSide(changedSide)]
  const { base } = sides
  return !(base && other && bound.every(name => isSame(base[name], other[name])))
}

/** The fields that are merged each on its own; settings and cover are so only where the document is that of one side. */
function contentFields(sides: Sides<PageRecord>): Set<string> {
  const isDocumentMerged = mergedSide(documentsOn(sides)) === undefined
  return fieldNames(sides, isDocumentMerged ? [...ownRules, ...textFields] : ownRules)
}

function mergeContentOf(id: string, sides: Sides<PageRecord>, merge: PageMerge): MergedPage {
  const side = sideOf(merge.choices, { page: id })
  const { hash, text, settings, document, textFault } = mergeDocument(id, sides, merge)
  const fields = mergeFields(sides, contentFields(sides), side)
  const location = mergeLocation(sides, { side, hash, hashOf: row => row.document })
  const merged = { ...fields, id, ...location, ...(hash !== undefined && { document: hash }) } as PageRecord
  const record = text ? withCover(withSettings(merged, text), { text, sides, merge }) : { ...merged, ...settings }
  return { record, document, textFault }
}

/** A page that one side deleted, with the Markdown that keeps it. */
function withMarkdown(record: PageRecord, markdown: string, merge: PageMerge): MergedPage {
  const { hash, text, document, textFault } = resolvedDocument(markdown)
  const sides = { base: record, main: record, changeRequest: record }
  const { git: _git, file: _file, ...rest } = record
  const location = mergeLocation(sides, { side: 'main', hash, hashOf: row => row.document })
  const located = { ...rest, ...location, document: hash }
  return { record: withCover(withSettings(located, text), { text, sides, merge }), document, textFault }
}

/** The page with the cover of its text: as a side has it whose text names the same images. */
function withCover(
  { cover: _cover, ...record }: PageRecord,
  { text, sides, merge }: { text: PageText; sides: Sides<PageRecord>; merge: PageMerge },
): PageRecord {
  const sameCover = [sides.main, sides.changeRequest].find(side =>
    isSame(coverIn(side, merge.documents), text.cover ?? null),
  )
  const cover = sameCover ? sameCover.cover : coverOf(text.cover, record, { files: merge.files })
  return cover ? { ...record, cover } : record
}
