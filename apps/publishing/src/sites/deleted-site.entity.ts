import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** A deleted site, kept while something that its visitors were given may not have expired. */
export interface DeletedSiteRow {
  siteId: string
  closedVersion: number
  closedAt: Date
}

export const DeletedSiteEntity = new EntitySchema<DeletedSiteRow>({
  name: 'DeletedSite',
  tableName: 'deleted_sites',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    closedVersion: { type: 'int', name: 'closed_version' },
    closedAt: { type: 'timestamptz', precision: 3, name: 'closed_at' },
  } satisfies EntityColumns<DeletedSiteRow>,
})
