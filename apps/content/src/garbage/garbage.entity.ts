import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { ContentKind } from './garbage.rules.ts'

/** A mark on content, by hash, that may be unreferenced since a time. */
export interface GarbageRow {
  kind: ContentKind
  hash: string
  since: Date
}

export const GarbageEntity = new EntitySchema<GarbageRow>({
  name: 'Garbage',
  tableName: 'garbage',
  columns: {
    kind: { type: 'text', primary: true },
    hash: { type: 'text', primary: true },
    since: { type: 'timestamptz', precision: 3 },
  } satisfies EntityColumns<GarbageRow>,
})
