import { EntitySchema } from 'typeorm'
import type { EntityColumns } from './columns.ts'

export interface OutboxRow {
  id: string
  subject: string
  payload: object
  /** Services that must acknowledge it. */
  consumers: string[]
  acknowledgedBy: string[]
  createdAt: Date
  dispatchAt: Date
  dispatches: number
  doneAt: Date | null
  /** Headers that hold the trace of what wrote it. */
  trace: Record<string, string> | null
}

export const OutboxEntity = new EntitySchema<OutboxRow>({
  name: 'Outbox',
  tableName: 'outbox',
  columns: {
    id: { type: 'text', primary: true },
    subject: { type: 'text' },
    payload: { type: 'jsonb' },
    consumers: { type: 'text', array: true },
    acknowledgedBy: { type: 'text', array: true, name: 'acknowledged_by' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    dispatchAt: { type: 'timestamptz', name: 'dispatch_at' },
    dispatches: { type: 'int' },
    doneAt: { type: 'timestamptz', name: 'done_at', nullable: true },
    trace: { type: 'jsonb', nullable: true },
  } satisfies EntityColumns<OutboxRow>,
})
