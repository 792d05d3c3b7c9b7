import type { LimitedTo } from '@recto/actor'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

export interface TokenRow {
  id: string
  userId: string
  name: string
  hash: string
  scopes: string[]
  hint: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  /** The organization whose single sign-on issued the token; it is valid there only. */
  ssoOrganization: string | null
  /** The SAML provider that it was issued with; null for other tokens, and where a version before this one issued it. */
  ssoProvider: string | null
  /** IP addresses and CIDR blocks that it may be used from; from everywhere when null or absent. */
  allowedAddresses?: string[] | null
  /** The resources that it is limited to; it is not limited when null or absent. */
  limitedTo?: LimitedTo | null
  /** The OpenID provider that it was issued with, and its user and session there. */
  oidcProvider?: string | null
  oidcSubject?: string | null
  oidcSession?: string | null
  /** The grant of a program that it is an access token of. */
  grantId?: string | null
}

export const TokenEntity = new EntitySchema<TokenRow>({
  name: 'Token',
  tableName: 'tokens',
  columns: {
    id: { type: 'text', primary: true },
    userId: { type: 'text', name: 'user_id' },
    name: { type: 'text' },
    hash: { type: 'text' },
    scopes: { type: 'text', array: true },
    hint: { type: 'text' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at', nullable: true },
    lastUsedAt: { type: 'timestamptz', precision: 3, name: 'last_used_at', nullable: true },
    ssoOrganization: { type: 'text', name: 'sso_organization', nullable: true },
    allowedAddresses: { type: 'text', array: true, name: 'allowed_addresses', nullable: true },
    limitedTo: { type: 'jsonb', name: 'limited_to', nullable: true },
    ssoProvider: { type: 'text', name: 'sso_provider', nullable: true },
    oidcProvider: { type: 'text', name: 'oidc_provider', nullable: true },
    oidcSubject: { type: 'text', name: 'oidc_subject', nullable: true },
    grantId: { type: 'text', name: 'grant_id', nullable: true },
    oidcSession: { type: 'text', name: 'oidc_session', nullable: true },
  } satisfies EntityColumns<TokenRow>,
})
