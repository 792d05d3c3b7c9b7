import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A sign-in that a browser came back with: it is completed once. */
export interface VisitorSignInRow {
  stateHash: string
  siteId: string
  usedAt: Date
}

export const VisitorSignInEntity = new EntitySchema<VisitorSignInRow>({
  name: 'VisitorSignIn',
  tableName: 'visitor_sign_ins',
  columns: {
    stateHash: { type: 'text', name: 'state_hash', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    usedAt: { type: 'timestamptz', precision: 3, name: 'used_at' },
  } satisfies EntityColumns<VisitorSignInRow>,
})
