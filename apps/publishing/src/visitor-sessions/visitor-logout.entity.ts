import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A logout by the provider: it ends what it names although that is being signed in at the same time. */
export interface VisitorLogoutRow {
  siteId: string
  /** Hash of the session, or of the user, at the provider. */
  ended: string
  issuedAt: Date
}

export const VisitorLogoutEntity = new EntitySchema<VisitorLogoutRow>({
  name: 'VisitorLogout',
  tableName: 'visitor_logouts',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    ended: { type: 'text', primary: true },
    issuedAt: { type: 'timestamptz', precision: 3, name: 'issued_at' },
  } satisfies EntityColumns<VisitorLogoutRow>,
})
