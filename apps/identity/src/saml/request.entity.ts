import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** An authentication request that was not answered yet. */
export interface SamlRequestRow {
  id: string
  providerId: string
  createdAt: Date
}

export const SamlRequestEntity = new EntitySchema<SamlRequestRow>({
  name: 'SamlRequest',
  tableName: 'saml_requests',
  columns: {
    id: { type: 'text', primary: true },
    providerId: { type: 'text', name: 'provider_id' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<SamlRequestRow>,
})
