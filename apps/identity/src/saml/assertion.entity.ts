import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A used assertion, stored until it would be refused as expired. */
export interface SamlAssertionRow {
  providerId: string
  assertionId: string
  expiresAt: Date
}

export const SamlAssertionEntity = new EntitySchema<SamlAssertionRow>({
  name: 'SamlAssertion',
  tableName: 'saml_assertions',
  columns: {
    providerId: { type: 'text', primary: true, name: 'provider_id' },
    assertionId: { type: 'text', primary: true, name: 'assertion_id' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<SamlAssertionRow>,
})
