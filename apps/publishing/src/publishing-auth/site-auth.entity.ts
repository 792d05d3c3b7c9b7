import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** How the visitors of a site are authenticated; keys are encrypted. */
export interface SiteAuthRow {
  siteId: string
  /** Signs the tokens of the server that logs visitors in. */
  privateKey: Buffer
  /** The key before the last rotation, which is valid until `previousUntil`. */
  previousKey: Buffer | null
  previousUntil: Date | null
  /** Where visitors log in. */
  fallbackUrl: string | null
  /** Where visitors go after they signed out. */
  logoutUrl: string | null
}

export const SiteAuthEntity = new EntitySchema<SiteAuthRow>({
  name: 'SiteAuth',
  tableName: 'site_auth',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    privateKey: { type: 'bytea', name: 'private_key' },
    previousKey: { type: 'bytea', name: 'previous_key', nullable: true },
    previousUntil: { type: 'timestamptz', precision: 3, name: 'previous_until', nullable: true },
    fallbackUrl: { type: 'text', name: 'fallback_url', nullable: true },
    logoutUrl: { type: 'text', name: 'logout_url', nullable: true },
  } satisfies EntityColumns<SiteAuthRow>,
})
