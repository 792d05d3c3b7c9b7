import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A grant: the scopes that a user has allowed a program. */
export interface OAuthGrantRow {
  id: string
  userId: string
  /** The token that the user was signed in with: the grant ends with it, and never allows more. */
  tokenId: string
  /** The organization whose single sign-on that token came from: the grant is valid there only. */
  ssoOrganization: string | null
  clientId: string
  clientName: string
  /** The host that the program sends people back to; null for a device. */
  clientHost: string | null
  scopes: string[]
  /** The grant as the authorization server has it, encrypted for this row. */
  payload: Buffer
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
}

export const OAuthGrantEntity = new EntitySchema<OAuthGrantRow>({
  name: 'OAuthGrant',
  tableName: 'oauth_grants',
  columns: {
    id: { type: 'text', primary: true },
    userId: { type: 'text', name: 'user_id' },
    tokenId: { type: 'text', name: 'token_id' },
    ssoOrganization: { type: 'text', name: 'sso_organization', nullable: true },
    clientId: { type: 'text', name: 'client_id' },
    clientName: { type: 'text', name: 'client_name' },
    clientHost: { type: 'text', name: 'client_host', nullable: true },
    scopes: { type: 'text', array: true },
    payload: { type: 'bytea' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    lastUsedAt: { type: 'timestamptz', precision: 3, name: 'last_used_at', nullable: true },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<OAuthGrantRow>,
})
