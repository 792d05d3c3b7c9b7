import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface TeamRow {
  id: string
  organizationId: string
  title: string
  createdAt: Date
}

export const TeamEntity = new EntitySchema<TeamRow>({
  name: 'Team',
  tableName: 'teams',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    title: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<TeamRow>,
})
