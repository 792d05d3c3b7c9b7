import { EntitySchema } from 'typeorm'
import type { EntityColumns } from './columns.ts'

export interface RecordCounterRow {
  organization: string
  /** The number of the last change of the organization that this service has recorded. */
  last: number
}

export const RecordCounterEntity = new EntitySchema<RecordCounterRow>({
  name: 'RecordCounter',
  tableName: 'record_counters',
  columns: {
    organization: { type: 'text', primary: true },
    last: { type: 'int' },
  } satisfies EntityColumns<RecordCounterRow>,
})
