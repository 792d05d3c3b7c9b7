import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A secret link to a site. */
export interface ShareLinkRow {
  id: string
  siteId: string
  name: string
  /** The secret part of its address. */
  key: string
  active: boolean
  createdAt: Date
}

export const ShareLinkEntity = new EntitySchema<ShareLinkRow>({
  name: 'ShareLink',
  tableName: 'share_links',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    name: { type: 'text' },
    key: { type: 'text' },
    active: { type: 'boolean' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<ShareLinkRow>,
})
