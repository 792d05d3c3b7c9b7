import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The schema of the claims of a site's visitors: a restricted JSON Schema (draft-07). */
export interface AdaptiveSchemaRow {
  siteId: string
  jsonSchema: Record<string, unknown>
  updatedAt: Date
}

export const AdaptiveSchemaEntity = new EntitySchema<AdaptiveSchemaRow>({
  name: 'AdaptiveSchema',
  tableName: 'adaptive_schemas',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    jsonSchema: { type: 'jsonb', name: 'json_schema' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<AdaptiveSchemaRow>,
})
