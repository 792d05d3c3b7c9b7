import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface GlossaryEntryRow {
  id: string
  organizationId: string
  /** The term by language. */
  translations: Record<string, string>
  createdAt: Date
  updatedAt: Date
}

export const GlossaryEntryEntity = new EntitySchema<GlossaryEntryRow>({
  name: 'GlossaryEntry',
  tableName: 'glossary_entries',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    translations: { type: 'jsonb' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<GlossaryEntryRow>,
})
