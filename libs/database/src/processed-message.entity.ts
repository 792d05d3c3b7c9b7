import { EntitySchema } from 'typeorm'
import type { EntityColumns } from './columns.ts'

export interface ProcessedMessageRow {
  /** The id of a message whose handler has committed. */
  id: string
  processedAt: Date
}

export const ProcessedMessageEntity = new EntitySchema<ProcessedMessageRow>({
  name: 'ProcessedMessage',
  tableName: 'processed_messages',
  columns: {
    id: { type: 'text', primary: true },
    processedAt: { type: 'timestamptz', name: 'processed_at' },
  } satisfies EntityColumns<ProcessedMessageRow>,
})
