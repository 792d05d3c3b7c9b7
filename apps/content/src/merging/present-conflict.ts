import type { MergeConflict } from '@recto/contracts-content'
import type { z } from 'zod'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { Conflict } from './conflict.ts'

type Shown = z.input<typeof MergeConflict>

/** A conflict as the API shows it: of deleted pages, files and reusable contents their fields, without how they are stored. */
export function presentConflict(conflict: Conflict): Shown {
  const { base, main, changeRequest, ...rest } = conflict
  const isRecord =
    conflict.kind === 'deleted' && conflict.variable === undefined && conflict.configuration === undefined
  const show = isRecord ? presentRecord : (value: unknown) => value
  const sides = Object.entries({ base, main, changeRequest }).filter(([, value]) => value !== undefined)
  return { ...(rest as Shown), ...Object.fromEntries(sides.map(([side, value]) => [side, show(value)])) }
}

function presentRecord(value: unknown): unknown {
  const { id, title, name, type, slug, parent, document, contentType, size } = value as Partial<
    PageRecord & FileRecord & ReusableRecord
  >
  const fields = { id, type, title, name, slug, parent, document, contentType, size }
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}
