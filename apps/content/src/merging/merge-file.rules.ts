import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { FileRecord, ReusableRecord } from '../revisions/records.ts'
import { type Choices, sideOf } from './choices.ts'
import type { DetectedConflict, Subject } from './conflict.ts'
import {
  conflictOf,
  deletionConflicts,
  fieldConflicts,
  fieldsOf,
  isChangedByBoth,
  locationConflicts,
  mergeFields,
  mergeLocation,
  wholeRecord,
  type MergedRecord,
} from './merge-record.rules.ts'
import type { MergedPageText } from './merge-page-text.rules.ts'
import type { MergedDocuments } from './merged-documents.ts'
import { mapSides, mergedSide, type Side, type Sides } from './three-way.ts'

const byteFields = ['hash', 'size', 'contentType', 'dimensions'] as const

/** The bytes of a file as one field. */
function bytesOn(sides: Sides<FileRecord>): Sides<{ content: Partial<FileRecord> }> {
  return mapSides(sides, row => ({ content: fieldsOf(row, byteFields) }))
}

/** The conflicts of a file; its bytes are one thing. */
export function fileConflicts(id: string, sides: Sides<FileRecord>): DetectedConflict[] {
  const subject = { file: id }
  if (!isChangedByBoth(sides)) return deletionConflicts(subject, sides)
  return [
    ...fieldConflicts(subject, bytesOn(sides), ['content']),
    ...fieldConflicts(subject, sides, ['name']),
    ...locationConflicts(subject, sides),
  ]
}

/** The merged record of a file. */
export function mergeFile(id: string, sides: Sides<FileRecord>, choices: Choices): FileRecord | undefined {
  const subject = { file: id }
  if (!isChangedByBoth(sides)) return wholeRecord(subject, sides, choices)
  const side = sideOf(choices, subject)
  const { content } = mergeFields(bytesOn(sides), ['content'], side)
  return {
    id,
    name: '',
    hash: '',
    size: 0,
    contentType: '',
    ...mergeFields(sides, ['name'], side),
    ...content,
    ...mergeLocation(sides, { side, hash: content?.hash, hashOf: row => row.hash }),
  }
}

/** The conflicts of a reusable content; its text is merged by line. */
export function reusableConflicts(
  id: string,
  sides: Sides<ReusableRecord>,
  documents: MergedDocuments,
): DetectedConflict[] {
  const subject = { reusableContent: id }
  if (!isChangedByBoth(sides)) return deletionConflicts(subject, sides)
  return [
    ...fieldConflicts(subject, sides, ['title']),
    ...textConflicts(subject, documentsOn(sides), documents),
    ...locationConflicts(subject, sides),
  ]
}

function textConflicts(subject: Subject, hashes: Sides<string>, documents: MergedDocuments): DetectedConflict[] {
  if (mergedSide(hashes)) return []
  const merged = documents.merge(hashes)
  if (isClean(merged)) return []
  const texts = mapSides(hashes, hash => documents.text(hash))
  return [conflictOf({ kind: 'text', ...subject, merged: merged.text }, texts)]
}

/** The merged record of a reusable content. */
export function mergeReusable(
  id: string,
  sides: Sides<ReusableRecord>,
  { choices, documents }: { choices: Choices; documents: MergedDocuments },
): MergedRecord<ReusableRecord> {
  const subject = { reusableContent: id }
  if (!isChangedByBoth(sides)) return { record: wholeRecord(subject, sides, choices) }
  const side = sideOf(choices, subject)
  const { hash, document } = mergeText(documentsOn(sides), { side, documents })
  const record = {
    id,
    title: '',
    ...mergeFields(sides, ['title'], side),
    document: hash,
    ...mergeLocation(sides, { side, hash, hashOf: row => row.document }),
  }
  return { record, document }
}

function mergeText(
  hashes: Sides<string>,
  { side, documents }: { side: Side; documents: MergedDocuments },
): { hash: string; document?: NewDocument } {
  const whole = mergedSide(hashes)
  if (whole) return { hash: hashes[whole] ?? '' }
  const merged = documents.merge(hashes)
  if (!isClean(merged)) return { hash: hashes[side] ?? '' }
  const document = newDocument(merged.text)
  return { hash: document.hash, document }
}

function documentsOn(sides: Sides<ReusableRecord>): Sides<string> {
  return mapSides(sides, row => row.document)
}

function isClean({ isConflict, keyConflicts }: MergedPageText): boolean {
  return !isConflict && keyConflicts.length === 0
}
