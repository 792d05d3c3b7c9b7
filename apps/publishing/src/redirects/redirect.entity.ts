import type { SiteRedirectDestination } from '@recto/contracts-publishing'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

/** A path of a site that leads elsewhere. */
export interface RedirectRow {
  id: string
  siteId: string
  /** Path below the address of the site, which a draft and a live redirect may have; a `*` at its end is a wildcard. */
  source: string
  /** The target, which may be gone by now: then the redirect stays, and leads nowhere. */
  destination: z.output<typeof SiteRedirectDestination>
  draft: boolean
  captureWildcard: boolean
  permanent: boolean
  createdAt: Date
  /** Null until the first change. */
  updatedAt: Date | null
}

export const RedirectEntity = new EntitySchema<RedirectRow>({
  name: 'Redirect',
  tableName: 'site_redirects',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    source: { type: 'text' },
    destination: { type: 'jsonb' },
    draft: { type: 'boolean' },
    captureWildcard: { type: 'boolean', name: 'capture_wildcard' },
    permanent: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at', nullable: true },
  } satisfies EntityColumns<RedirectRow>,
})
