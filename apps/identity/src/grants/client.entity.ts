import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A program that is registered. */
export interface OAuthClientRow {
  id: string
  /** The organization that has registered it; null for one of the installation, or that registered itself. */
  organizationId: string | null
  selfRegistered: boolean
  name: string
  type: 'public' | 'confidential'
  redirectUris: string[]
  /** Its metadata for the authorization server, with its secret, encrypted for this row. */
  metadata: Buffer
  createdAt: Date
}

export const OAuthClientEntity = new EntitySchema<OAuthClientRow>({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  columns: {
    id: { type: 'text', primary: true },
    organizationId: { type: 'text', name: 'organization_id', nullable: true },
    selfRegistered: { type: 'boolean', name: 'self_registered' },
    name: { type: 'text' },
    type: { type: 'text' },
    redirectUris: { type: 'text', array: true, name: 'redirect_uris' },
    metadata: { type: 'bytea' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<OAuthClientRow>,
})
