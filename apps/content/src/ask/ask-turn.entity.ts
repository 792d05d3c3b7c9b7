import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A question that is being answered; one whose process has died ends by itself. */
export interface AskTurnRow {
  id: string
  organizationId: string
  endsAt: Date
}

export const AskTurnEntity = new EntitySchema<AskTurnRow>({
  name: 'AskTurn',
  tableName: 'ask_turns',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    endsAt: { type: 'timestamptz', precision: 3, name: 'ends_at' },
  } satisfies EntityColumns<AskTurnRow>,
})
