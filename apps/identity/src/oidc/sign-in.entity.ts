import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A sign-in that was begun. */
export interface OidcSignInRow {
  state: string
  providerId: string
  /** The hash of what the browser has that began it. */
  browserHash: string
  createdAt: Date
  /** When its answer came: nothing redeems it again. */
  redeemedAt: Date | null
}

export const OidcSignInEntity = new EntitySchema<OidcSignInRow>({
  name: 'OidcSignIn',
  tableName: 'oidc_sign_ins',
  columns: {
    state: { type: 'text', primary: true },
    providerId: { type: 'text', name: 'provider_id' },
    browserHash: { type: 'text', name: 'browser_hash' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    redeemedAt: { type: 'timestamptz', precision: 3, name: 'redeemed_at', nullable: true },
  } satisfies EntityColumns<OidcSignInRow>,
})
