import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A session of a browser at the authorization pages; nobody is signed in while it has no token. */
export interface OAuthSessionRow {
  uid: string
  /** The hash of the id that the browser has as a cookie. */
  hash: string
  userId: string | null
  /** The token that the user has signed in with: the session ends with it. */
  tokenId: string | null
  /** The organization whose single sign-on that token came from. */
  ssoOrganization: string | null
  /** The session as the authorization server has it, encrypted for this row. */
  payload: Buffer
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export const OAuthSessionEntity = new EntitySchema<OAuthSessionRow>({
  name: 'OAuthSession',
  tableName: 'oauth_sessions',
  columns: {
    uid: { type: 'text', primary: true },
    hash: { type: 'text' },
    userId: { type: 'text', name: 'user_id', nullable: true },
    tokenId: { type: 'text', name: 'token_id', nullable: true },
    ssoOrganization: { type: 'text', name: 'sso_organization', nullable: true },
    payload: { type: 'bytea' },
    userAgent: { type: 'text', name: 'user_agent', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    lastSeenAt: { type: 'timestamptz', precision: 3, name: 'last_seen_at' },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<OAuthSessionRow>,
})
