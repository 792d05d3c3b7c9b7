import type { EntityColumns } from '@recto/database'
import type { Role } from '@recto/actor'
import { EntitySchema } from 'typeorm'

export interface OidcProviderRow {
  id: string
  organizationId: string
  label: string
  issuer: string | null
  clientId: string | null
  /** Encrypted for this row. */
  clientSecret: Buffer | null
  emailDomains: string[]
  scopes: string[]
  defaultTeam: string | null
  defaultRole: Role | null
  createdAt: Date
}

export const OidcProviderEntity = new EntitySchema<OidcProviderRow>({
  name: 'OidcProvider',
  tableName: 'oidc_providers',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id' },
    label: { type: 'text' },
    issuer: { type: 'text', nullable: true },
    clientId: { type: 'text', name: 'client_id', nullable: true },
    clientSecret: { type: 'bytea', name: 'client_secret', nullable: true },
    emailDomains: { type: 'text', array: true, name: 'email_domains' },
    scopes: { type: 'text', array: true },
    defaultTeam: { type: 'text', name: 'default_team', nullable: true },
    defaultRole: { type: 'text', name: 'default_role', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<OidcProviderRow>,
})
