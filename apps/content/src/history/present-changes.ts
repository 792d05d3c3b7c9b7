import type { SemanticChange as WireChange } from '@recto/contracts-content'
import type { z } from 'zod'
import { presentFile, type Presentation } from '../pages/present-page.ts'
import type { FileRecord, ReusableRecord } from '../revisions/records.ts'
import { changedAttributes } from './changed-attributes.ts'
import { fileFields, reusableFields, type SemanticChange } from './semantic-changes.ts'

type PresentedChange = z.input<typeof WireChange>
type FileEdited = Extract<PresentedChange, { type: 'file_edited' }>

/** Presents the first changes up to the limit, and counts the others. */
export function presentChanges(
  changes: SemanticChange[],
  { limit, ...presentation }: Presentation & { limit: number },
) {
  const more = changes.length - limit
  return {
    changes: changes.slice(0, limit).map(change => presentChange(change, presentation)),
    ...(more > 0 && { more }),
  }
}

function presentChange(change: SemanticChange, presentation: Presentation): PresentedChange {
  switch (change.type) {
    case 'file_created':
    case 'file_deleted':
      return { type: change.type, file: presentFileRef(change.record, presentation) }
    case 'file_edited': {
      const file = presentFileRef(change.record, presentation)
      return { type: change.type, file, attributes: fileAttributes(change, presentation) }
    }
    case 'reusable_content_created':
    case 'reusable_content_deleted':
      return { type: change.type, reusableContent: presentReusableRef(change.record) }
    case 'reusable_content_edited': {
      const attributes = changedAttributes(reusableFields(change.before), reusableFields(change.record))
      return { type: change.type, reusableContent: presentReusableRef(change.record), attributes }
    }
    default:
      return change
  }
}

/** A file as changes name it. */
export function presentFileRef(record: FileRecord, presentation: Presentation) {
  const { id, name, contentType, downloadURL } = presentFile(record, presentation)
  return { id, name, contentType, downloadURL }
}

function fileAttributes(
  { before, record }: { before: FileRecord; record: FileRecord },
  presentation: Presentation,
): FileEdited['attributes'] {
  const { hash, ...attributes } = changedAttributes(fileFields(before), fileFields(record))
  const [old, now] = [before, record].map(file => presentFile(file, presentation).downloadURL)
  return { ...attributes, ...(hash && { downloadURL: { before: old, after: now } }) }
}

function presentReusableRef({ id, title, document }: ReusableRecord) {
  return { id, title, document }
}
