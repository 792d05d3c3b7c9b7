import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

export interface ProviderRow {
  id: string
  organizationId: string
  label: string
  ssoUrl: string | null
  entityId: string | null
  certificate: string | null
  defaultTeam: string | null
  defaultRole: Role | null
  createdAt: Date
}

export const SamlProviderEntity = new EntitySchema<ProviderRow>({
  name: 'SamlProvider',
  tableName: 'saml_providers',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    label: { type: 'text' },
    ssoUrl: { type: 'text', name: 'sso_url', nullable: true },
    entityId: { type: 'text', name: 'entity_id', nullable: true },
    certificate: { type: 'text', nullable: true },
    defaultTeam: { type: 'text', name: 'default_team', nullable: true },
    defaultRole: { type: 'text', name: 'default_role', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<ProviderRow>,
})
