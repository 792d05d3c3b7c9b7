import { EntitySchema } from 'typeorm'
import type { EntityColumns } from './columns.ts'

export interface InboxRow {
  /** The id of a message that has been handled. */
  id: string
  handledAt: Date
}

export const InboxEntity = new EntitySchema<InboxRow>({
  name: 'Inbox',
  tableName: 'inbox',
  columns: {
    id: { type: 'text', primary: true },
    handledAt: { type: 'timestamptz', name: 'handled_at' },
  } satisfies EntityColumns<InboxRow>,
})
