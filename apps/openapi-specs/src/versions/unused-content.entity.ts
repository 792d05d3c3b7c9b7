import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A stored content whose versions were deleted; it is deleted later, unless a version has it again. */
export interface UnusedContentRow {
  hash: string
  since: Date
}

export const UnusedContentEntity = new EntitySchema<UnusedContentRow>({
  name: 'UnusedContent',
  tableName: 'unused_contents',
  columns: {
    hash: { type: 'text', primary: true },
    since: { type: 'timestamptz', precision: 3 },
  } satisfies EntityColumns<UnusedContentRow>,
})
