import type { FileRecord, ReusableRecord } from '../revisions/records.ts'
import type { Decisions } from './decisions.ts'
import {
  conflictOf,
  fieldsOf,
  isEditedRecord,
  mergeFields,
  mergeLocation,
  wholeRecord,
  type RecordMerge,
} from './merge-record.rules.ts'
import type { MergedDocuments } from './merged-documents.ts'
import { mapSides, mergedSide, type Sides } from './three-way.ts'

const byteFields = ['hash', 'size', 'contentType', 'dimensions'] as const

/** The merged record of a file; its bytes are one thing. */
export function mergeFile(id: string, sides: Sides<FileRecord>, decisions: Decisions): FileRecord | undefined {
  const record: RecordMerge = { subject: { file: id }, decisions }
  const whole = wholeRecord(sides, { ...record, isEdited: isEditedRecord })
  if (whole) return whole.record
  const contents = mapSides(sides, row => ({ content: fieldsOf(row, byteFields) }))
  const { content } = mergeFields(contents, ['content'], record)
  const hash = content?.hash
  return {
    ...{ id, name: '', hash: '', size: 0, contentType: '' },
    ...mergeFields(sides, ['name'], record),
    ...content,
    ...mergeLocation(sides, { ...record, hash, hashOf: row => row.hash }),
  }
}

/** The merged record of a reusable content; its text is merged by line. */
export function mergeReusable(
  id: string,
  sides: Sides<ReusableRecord>,
  { decisions, documents }: { decisions: Decisions; documents: MergedDocuments },
): ReusableRecord | undefined {
  const record: RecordMerge = { subject: { reusableContent: id }, decisions }
  const whole = wholeRecord(sides, { ...record, isEdited: isEditedRecord })
  if (whole) return whole.record
  const document = mergeDocument(
    mapSides(sides, row => row.document),
    { ...record, documents },
  )
  return {
    ...{ id, title: '' },
    ...mergeFields(sides, ['title'], record),
    document,
    ...mergeLocation(sides, { ...record, hash: document, hashOf: row => row.document }),
  }
}

function mergeDocument(
  hashes: Sides<string>,
  { subject, decisions, documents }: RecordMerge & { documents: MergedDocuments },
): string {
  const whole = mergedSide(hashes)
  if (whole) return hashes[whole] ?? ''
  const texts = mapSides(hashes, hash => documents.text(hash))
  const { text, isConflict, keyConflicts } = documents.merge(hashes)
  if (!isConflict && keyConflicts.length === 0) return documents.add(text)
  return hashes[decisions.side(conflictOf({ kind: 'text', ...subject, merged: text }, texts))] ?? ''
}
