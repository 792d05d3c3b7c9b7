import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { StoredCustomization } from './customization.rules.ts'

/** How a site looks; a site without a row has the defaults. */
export interface SiteCustomizationRow {
  siteId: string
  settings: StoredCustomization
  updatedAt: Date
}

export const SiteCustomizationEntity = new EntitySchema<SiteCustomizationRow>({
  name: 'SiteCustomization',
  tableName: 'site_customizations',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    settings: { type: 'jsonb' },
    updatedAt: { type: 'timestamptz', precision: 3, name: 'updated_at' },
  } satisfies EntityColumns<SiteCustomizationRow>,
})
