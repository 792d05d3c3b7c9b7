import type { MergeConflict } from '@recto/contracts-content'
import type { z } from 'zod'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { Conflict } from './conflict.ts'

type ConflictResponse = z.input<typeof MergeConflict>

/** Presents a conflict for the API. A deleted page, file or reusable content has its fields, without storage details. */
export function presentConflict(conflict: Conflict): ConflictResponse {
  const { base, main, changeRequest, ...rest } = conflict
  const isRecord =
    conflict.kind === 'deleted' && conflict.variable === undefined && conflict.configuration === undefined
  const show = isRecord ? presentRecord : (value: unknown) => value
  const sides = Object.entries({ base, main, changeRequest }).filter(([, value]) => value !== undefined)
  return { ...(rest as ConflictResponse), ...Object.fromEntries(sides.map(([side, value]) => [side, show(value)])) }
}

function presentRecord(value: unknown): unknown {
  const { id, title, name, type, slug, parent, document, contentType, size } = value as Partial<
    PageRecord & FileRecord & ReusableRecord
  >
  const fields = { id, type, title, name, slug, parent, document, contentType, size }
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}
