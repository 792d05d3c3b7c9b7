import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A logout token that was used, stored until it would be refused as expired, and as long as a sign-in may take. */
export interface OidcLogoutRow {
  providerId: string
  tokenId: string
  subject: string | null
  session: string | null
  issuedAt: Date
  expiresAt: Date
}

export const OidcLogoutEntity = new EntitySchema<OidcLogoutRow>({
  name: 'OidcLogout',
  tableName: 'oidc_logouts',
  columns: {
    providerId: { type: 'text', primary: true, name: 'provider_id' },
    tokenId: { type: 'text', primary: true, name: 'token_id' },
    subject: { type: 'text', nullable: true },
    session: { type: 'text', nullable: true },
    issuedAt: { type: 'timestamptz', precision: 3, name: 'issued_at' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<OidcLogoutRow>,
})
