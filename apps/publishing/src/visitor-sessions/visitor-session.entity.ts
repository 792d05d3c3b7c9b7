import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The session of a visitor whom the OpenID provider of a site has signed in. */
export interface VisitorSessionRow {
  tokenHash: string
  siteId: string
  /** Hash of the user at the provider. */
  subject: string
  /** Hash of the session at the provider, where it says one. */
  providerSession: string | null
  /** The claims of the visitor and the ID token, encrypted. */
  content: Buffer
  /** When the provider signed the user in. */
  startedAt: Date
  expiresAt: Date
}

export const VisitorSessionEntity = new EntitySchema<VisitorSessionRow>({
  name: 'VisitorSession',
  tableName: 'visitor_sessions',
  columns: {
    tokenHash: { type: 'text', name: 'token_hash', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    subject: { type: 'text' },
    providerSession: { type: 'text', name: 'provider_session', nullable: true },
    content: { type: 'bytea' },
    startedAt: { type: 'timestamptz', precision: 3, name: 'started_at' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<VisitorSessionRow>,
})
