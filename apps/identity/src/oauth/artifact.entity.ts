import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A code, a token or another short-lived object of the authorization server. */
export interface OAuthArtifactRow {
  kind: string
  /** The hash of its value, which is stored nowhere in plain. */
  hash: string
  userCodeHash: string | null
  grantId: string | null
  /** The access token of the API that it is. */
  tokenId: string | null
  /** As the authorization server has it, encrypted for this row. */
  payload: Buffer
  consumedAt: Date | null
  expiresAt: Date
}

export const OAuthArtifactEntity = new EntitySchema<OAuthArtifactRow>({
  name: 'OAuthArtifact',
  tableName: 'oauth_artifacts',
  columns: {
    kind: { type: 'text', primary: true },
    hash: { type: 'text', primary: true },
    userCodeHash: { type: 'text', name: 'user_code_hash', nullable: true },
    grantId: { type: 'text', name: 'grant_id', nullable: true },
    tokenId: { type: 'text', name: 'token_id', nullable: true },
    payload: { type: 'bytea' },
    consumedAt: { type: 'timestamptz', precision: 3, name: 'consumed_at', nullable: true },
    expiresAt: { type: 'timestamptz', precision: 3, name: 'expires_at' },
  } satisfies EntityColumns<OAuthArtifactRow>,
})
