import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Kind } from './garbage.rules.ts'

/** Something stored under its hash that may be used by nobody any more. */
export interface GarbageRow {
  kind: Kind
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
