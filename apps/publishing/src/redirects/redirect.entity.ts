import type { SiteRedirectDestination } from '@recto/contracts-publishing'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'

/** A path of a site that leads elsewhere on it. */
export interface RedirectRow {
  id: string
  siteId: string
  /** Path below the address of the site; no other redirect of the site has it. */
  source: string
  /** The target, which may be gone by now: then the redirect stays, and leads nowhere. */
  destination: z.output<typeof SiteRedirectDestination>
  createdAt: Date
}

export const RedirectEntity = new EntitySchema<RedirectRow>({
  name: 'Redirect',
  tableName: 'site_redirects',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    source: { type: 'text' },
    destination: { type: 'jsonb' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<RedirectRow>,
})
