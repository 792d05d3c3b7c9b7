import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A request to an identity provider that waits for its answer. */
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
