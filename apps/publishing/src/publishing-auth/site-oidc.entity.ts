import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The OpenID provider that signs the visitors of a site in; its secret is encrypted. */
export interface SiteOidcRow {
  siteId: string
  /** Another one after each change: a sign-in ends with that of its start. */
  version: string
  issuer: string
  clientId: string
  /** Null for a public client. */
  clientSecret: Buffer | null
  scopes: string[]
  /** Claims of visitors by name, each with where it is in those of the provider; null for the standard ones. */
  claims: Record<string, string> | null
}

export const SiteOidcEntity = new EntitySchema<SiteOidcRow>({
  name: 'SiteOidc',
  tableName: 'site_oidc',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    version: { type: 'text' },
    issuer: { type: 'text' },
    clientId: { type: 'text', name: 'client_id' },
    clientSecret: { type: 'bytea', name: 'client_secret', nullable: true },
    scopes: { type: 'text', array: true },
    claims: { type: 'jsonb', nullable: true },
  } satisfies EntityColumns<SiteOidcRow>,
})
